import type { SourceFolder } from './source-folder.ts'

/**
 * Spellings of one school on stats.ncaa.org over the years. The season’s list of teams decides which applies.
 */
const known: readonly (readonly string[])[] = [
  ['FDU', 'Fairleigh Dickinson'],
  ['LIU', 'LIU Brooklyn', 'Long Island', 'Long Island University'],
  ['Saint Francis', 'Saint Francis (PA)', 'St. Francis (PA)'],
  ['St. Francis Brooklyn', 'St. Francis (NY)', 'St. Francis (B’klyn)'],
  ['Little Rock', 'UALR', 'Ark.-Little Rock', 'Arkansas-Little Rock'],
  ['Kansas City', 'UMKC', 'Mo.-Kansas City'],
  ['Omaha', 'Neb. Omaha', 'Nebraska Omaha', 'Nebraska-Omaha'],
  ['Purdue Fort Wayne', 'Fort Wayne', 'IPFW', 'Indiana-Purdue'],
  ['IU Indy', 'IUPUI', 'IU Indianapolis'],
  ['Detroit Mercy', 'Detroit'],
  ['Utah Tech', 'Dixie St.', 'Dixie State'],
  ['Houston Christian', 'Houston Baptist'],
  ['East Texas A&M', 'Tex. A&M-Commerce', 'A&M-Commerce', 'Texas A&M-Commerce'],
  ['A&M-Corpus Christi', 'Tex. A&M-Corpus Christi', 'Texas A&M-Corpus Christi', 'A&M-Corpus Chris'],
  ['UTRGV', 'Tex.-Pan American', 'Texas-Pan American', 'Texas Pan American'],
  ['UIW', 'Incarnate Word'],
  ['ULM', 'La.-Monroe', 'Louisiana-Monroe', 'Louisiana Monroe'],
  ['Louisiana', 'La.-Lafayette', 'Louisiana-Lafayette', 'UL Lafayette'],
  ['McNeese', 'McNeese St.'],
  ['Nicholls', 'Nicholls St.'],
  ['Grambling', 'Grambling St.'],
  ['Mississippi Val.', 'Mississippi Valley', 'Mississippi Valley St.'],
  ['Sam Houston', 'Sam Houston St.'],
  ['SFA', 'Stephen F. Austin'],
  ['Lamar University', 'Lamar'],
  ['Middle Tenn.', 'Middle Tenn. St.'],
  ['UT Martin', 'Tenn.-Martin', 'Tennessee-Martin'],
  ['SIUE', 'SIU Edwardsville', 'SIU-Edwardsville'],
  ['NIU', 'Northern Ill.', 'Northern Illinois'],
  ['UNI', 'Northern Iowa'],
  ['UIC', 'Ill.-Chicago'],
  ['LMU (CA)', 'Loyola Marymount'],
  ['Loyola Maryland', 'Loyola (MD)'],
  ['CSU Bakersfield', 'Cal St. Bakersfield', 'Bakersfield'],
  ['CSUN', 'Cal St. Northridge', 'Northridge'],
  ['Southern California', 'USC'],
  ['Hawaii', 'Hawai’i', "Hawai'i"],
  ['Seattle U', 'Seattle'],
  ['California Baptist', 'Cal Baptist'],
  ['UAlbany', 'Albany (NY)', 'Albany'],
  ['UMass Lowell', 'Mass.-Lowell'],
  ['UMES', 'Md.-East. Shore', 'Maryland-Eastern Shore'],
  ['Mount St. Mary’s', "Mount St. Mary's", "Mt. St. Mary's"],
  ['UConn', 'Connecticut'],
  ['Ole Miss', 'Mississippi'],
  ['Army West Point', 'Army'],
  ['App State', 'Appalachian St.'],
  ['Col. of Charleston', 'Charleston', 'Charleston (SC)'],
  ['UNC Asheville', 'N.C. Asheville'],
  ['UNCW', 'N.C. Wilmington', 'UNC Wilmington'],
  ['UNC Greensboro', 'N.C. Greensboro'],
  ['FGCU', 'Fla. Gulf Coast', 'Florida Gulf Coast'],
  ['FIU', 'Florida Int’l', "Florida Int'l", 'Fla. International'],
  ['Fla. Atlantic', 'FAU', 'Florida Atlantic'],
  ['South Fla.', 'USF', 'South Florida'],
  ['VCU', 'Va. Commonwealth'],
  ['VMI', 'Va. Military'],
  ['Queens (NC)', 'Queens'],
  ['Southern Ind.', 'Southern Indiana'],
  ['West Ga.', 'West Georgia'],
  ['Boston U.', 'Boston University'],
  ['NC State', 'North Carolina St.', 'N.C. State'],
  ['UTSA', 'Tex.-San Antonio'],
  ['UT Arlington', 'Texas-Arlington', 'Tex.-Arlington'],
  ['Bethune-Cookman', 'Bethune Cookman'],
  ['Prairie View', 'Prairie View A&M'],
]

const shape = {
  name: 'aliases',
  columns: ['alias', 'team'],
  unique: { columns: ['alias'], second: 'fault' },
} as const

/** The spellings in the folder’s `aliases.csv`, each with its team. */
export async function readAliases(folder: SourceFolder): Promise<ReadonlyMap<string, string>> {
  const given = new Map<string, string>()
  await folder.tableIfThere(shape, (row) => given.set(row.required('alias'), row.required('team')))
  return given
}

/** Finds the team of a spelling. */
export class Spellings {
  private readonly members: ReadonlySet<string>
  private readonly given: ReadonlyMap<string, string>
  private readonly groups = new Map<string, string[]>()

  /**
   * @param members the valid spellings: a known spelling is replaced only by a valid one of the same group
   * @param given spellings that mean a team whether or not it is a member
   */
  constructor(members: ReadonlySet<string>, given: ReadonlyMap<string, string>) {
    this.members = members
    this.given = given
    for (const group of [...given, ...known])
      for (const name of group) this.groups.set(name, [...(this.groups.get(name) ?? []), ...group])
  }

  /** The team’s name in its list; other teams’ names unchanged. */
  teamOf(name: string): string {
    if (this.members.has(name)) return name
    return this.groups.get(name)?.find((other) => this.members.has(other)) ?? this.given.get(name) ?? name
  }

  /** All known spellings of a team, its own first. */
  of(name: string): string[] {
    return [...new Set([name, ...(this.groups.get(name) ?? [])])]
  }
}
