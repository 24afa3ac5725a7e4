/** `2026-000123` of a receipt, `SK20261128000001` and other numbers of records: letters, a day, a count. */
export const isRecordNumber = (typed: string): boolean => /^(20\d{2}-\d{4,}|[a-z]{2,4}20\d{6,})$/i.test(typed)
