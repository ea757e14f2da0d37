/** A row as the service sends it: any column may be missing or of another type. */
export type RawRow = Readonly<Record<string, unknown>>
