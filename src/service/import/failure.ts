/**
 * A source that cannot be imported. The message is one line that names the file and what is wrong with it.
 */
export class ImportFailed extends Error {
  readonly code = 'IMPORT_FAILED'
}
