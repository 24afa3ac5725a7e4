import type { Id } from '#kit/domain/id.ts'

/** What a bulk call returns (G-11): counts, and the records that were not changed, with the reason. */
export interface BulkResult {
  readonly success: number
  readonly fail: number
  readonly skipped: number
  readonly rows: readonly {
    readonly id?: Id | undefined
    readonly code?: string | undefined
    readonly reason: string
  }[]
}
