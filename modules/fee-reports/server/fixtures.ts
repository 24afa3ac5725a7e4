import type { CallOptions, TestApp } from '#kit/server/fixtures/test-app.ts'
import type { Report, ReportQuery } from '../contract/report.ts'

/** What a report returns, its figures by their keys. */
export interface ReportAnswer<R extends object> {
  readonly total: number
  readonly rows: readonly R[]
  readonly sum: R
}

/** Asks a report. Its figures are declared by name, not by type: the test says which of them it reads. */
export async function askReport<R extends object>(
  t: Pick<TestApp, 'call'>,
  { list }: Report,
  query: ReportQuery,
  as: CallOptions,
): Promise<ReportAnswer<R>> {
  const page: unknown = await t.call(list, query, as)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where figures get their types
  return page as ReportAnswer<R>
}
