import { commaLists } from './comma-lists.ts'
import { compressedBills } from './compressed-bills.ts'
import { datesWithoutZone } from './dates-without-zone.ts'
import { emptyIs400 } from './empty-is-400.ts'
import { emptyIs404 } from './empty-is-404.ts'
import { emptyIsNull } from './empty-is-null.ts'
import { errorsAre400 } from './errors-are-400.ts'
import { extraColumns } from './extra-columns.ts'
import { fiftyIds } from './fifty-ids.ts'
import { firstOfAnArray } from './first-of-an-array.ts'
import { flagsAsBooleans } from './flags-as-booleans.ts'
import { ignoredFilters } from './ignored-filters.ts'
import { newStatuses } from './new-statuses.ts'
import { noArrays } from './no-arrays.ts'
import { noPost } from './no-post.ts'
import { noUsageHeader } from './no-usage-header.ts'
import { numberedKeys } from './numbered-keys.ts'
import { numbersAsText } from './numbers-as-text.ts'
import { refusedFilters } from './refused-filters.ts'
import { rowsAsLists } from './rows-as-lists.ts'
import { shortAddresses } from './short-addresses.ts'
import { shuffledRows } from './shuffled-rows.ts'
import { slow } from './slow.ts'
import { trialPlan } from './trial-plan.ts'
import { upperCaseIds } from './upper-case-ids.ts'
import type { Variant } from './variant.ts'

/** Services that differ from the embedded one where the specification leaves something open. */
export const variants: readonly Variant[] = [
  noArrays,
  firstOfAnArray,
  commaLists,
  fiftyIds,
  noPost,
  shortAddresses,
  ignoredFilters,
  refusedFilters,
  numbersAsText,
  flagsAsBooleans,
  upperCaseIds,
  datesWithoutZone,
  rowsAsLists,
  emptyIs404,
  emptyIs400,
  emptyIsNull,
  errorsAre400,
  noUsageHeader,
  compressedBills,
  slow,
  trialPlan,
  extraColumns,
  numberedKeys,
  newStatuses,
  shuffledRows,
]
