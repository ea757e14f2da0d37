import type { Line } from './line.ts'
import type { Played } from './result.ts'
import { share } from './tally.ts'

export type Side = 'home' | 'away'

/** A team’s wins and losses so far, each with the sum of its margins. */
export class WinsAndLosses {
  private readonly counts = new Map<string, number>()
  private streak = 0
  private sitesKnown = true

  add(game: Played, side: Side): void {
    const margin = (side === 'home' ? 1 : -1) * (game.home_score - game.away_score)
    if (game.neutral_site === null) this.sitesKnown = false
    if (margin === 0) return void (this.streak = 0)
    const result = margin > 0 ? 'win' : 'loss'
    this.count(result, margin, [siteOf(game, side), ...(game.conference ? ['conf'] : [])])
    this.streak = margin > 0 ? Math.max(0, this.streak) + 1 : Math.min(0, this.streak) - 1
  }

  private count(result: 'win' | 'loss', margin: number, kinds: string[]): void {
    for (const kind of ['', ...kinds]) {
      this.bump(`${kind}${result}`, 1)
      this.bump(`${kind}${result}_margin`, Math.abs(margin))
    }
  }

  private bump(name: string, by: number): void {
    this.counts.set(name, this.of(name) + by)
  }

  private of(name: string): number {
    return this.counts.get(name) ?? 0
  }

  /**
   * The ranked counts of a team’s row (specification §2). A run of wins is positive, of losses negative;
   * margins are means above zero.
   */
  statistics(): Line {
    const neutral = (result: string) => (this.sitesKnown ? this.of(`neutral${result}`) : null)
    return {
      wins: this.of('win'),
      losses: this.of('loss'),
      confwins: this.of('confwin'),
      conflosses: this.of('confloss'),
      neutralwins: neutral('win'),
      neutrallosses: neutral('loss'),
      homewins: this.of('homewin'),
      homelosses: this.of('homeloss'),
      roadwins: this.of('roadwin'),
      roadlosses: this.of('roadloss'),
      streak: this.streak,
      win_margin: share(this.of('win_margin'), this.of('win')),
      loss_margin: share(this.of('loss_margin'), this.of('loss')),
      confwin_margin: share(this.of('confwin_margin'), this.of('confwin')),
      confloss_margin: share(this.of('confloss_margin'), this.of('confloss')),
    }
  }
}

const siteOf = (game: Played, side: Side) =>
  game.neutral_site ? 'neutral' : side === 'home' ? 'home' : 'road'
