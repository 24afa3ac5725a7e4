import type { Id } from '#kit/domain/id.ts'

/** One change of a record as text: who, when, what, and each field before and after. */
export interface HistoryEntry {
  readonly at: string
  readonly by: string
  readonly action: string
  readonly reason?: string | undefined
  readonly changes: readonly {
    readonly field: string
    readonly before?: string | undefined
    readonly after?: string | undefined
  }[]
}

export type HistorySource = (entity: string, id: Id) => Promise<readonly HistoryEntry[]>
let source: HistorySource | undefined

/** Sets where changes are read from; called once at start. */
export const setHistorySource = (s: HistorySource): void => {
  source = s
}

export const getHistorySource = (): HistorySource | undefined => source
