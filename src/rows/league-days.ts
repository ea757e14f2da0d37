/** The day of a moment, `YYYY-MM-DD`, and the moment at which it ends, in milliseconds since 1970. */
export interface LeagueDay {
  readonly date: string
  readonly until: number
}

/** Of a league in North America, whose games end after midnight in UTC. */
export const defaultTimeZone = 'America/New_York'

/** The longest day of any time zone, and more. */
const longest = 26 * 3_600_000

/** The days of a league, in its time zone. */
export class LeagueDays {
  readonly #format: Intl.DateTimeFormat
  #last: LeagueDay & { readonly from: number } = { from: 0, date: '', until: 0 }

  /** Throws a RangeError if there is no such zone. */
  constructor(timeZone = defaultTimeZone) {
    this.#format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  }

  /** The day of a moment. A moment of the same day as the last one costs nothing. */
  at(moment: number): LeagueDay {
    if (moment < this.#last.from || moment >= this.#last.until) this.#last = this.#read(moment)
    return this.#last
  }

  #read(moment: number) {
    const date = this.#format.format(moment)
    // Clocks are changed on some days, so their end is searched for.
    let [from, until] = [Math.floor(moment), Math.floor(moment) + longest]
    while (until - from > 1) {
      const middle = Math.floor((from + until) / 2)
      if (this.#format.format(middle) === date) from = middle
      else until = middle
    }
    return { from: moment, date, until }
  }
}
