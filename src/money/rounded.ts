/**
 * A sum of tokens or bytes, to six decimals. Sums of decimals have noise in their last digits: 12.1 + 12.2 is
 * 24.299999999999997. Whole sums stay as they are.
 */
export const rounded = (sum: number): number => (Number.isInteger(sum) ? sum : Number(sum.toFixed(6)))
