/** Which unbilled readings to bill; what is left out does not restrict. */
export interface MeterScope {
  readonly month?: string | undefined
  readonly readingIds?: readonly unknown[] | undefined
  readonly meterIds?: readonly unknown[] | undefined
}

/**
 * A request that names nothing is a mistake of the caller: it would bill every meter of the project (MTR-9).
 */
export const meterScopeRefusal = ({ month, readingIds, meterIds }: MeterScope): string | undefined =>
  month || readingIds?.length || meterIds?.length ? undefined : '请指定要出账的范围：月份、抄表记录或仪表'
