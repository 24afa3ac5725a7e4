import type { KindCalls } from '../contract/kind-calls.ts'

/** A kind of planned work with its screens, for the pages that all kinds share. */
export interface PlannedSpec {
  readonly calls: Pick<
    KindCalls,
    | 'plans'
    | 'exportPlans'
    | 'setState'
    | 'listTasks'
    | 'getTask'
    | 'disable'
    | 'reappoint'
    | 'assign'
    | 'exportTasks'
    | 'listRecords'
    | 'exportRecords'
    | 'permissions'
  >
  /** What people call them: `保洁计划`, `保洁任务`, `保洁任务记录`. */
  readonly names: { readonly plan: string; readonly task: string; readonly record: string }
  readonly paths: {
    readonly plans: string
    readonly planForm: string
    readonly planDetail: string
    readonly tasks: string
    readonly task: string
    /** The own tasks on the phone. */
    readonly phone: string
    /** Tasks by day and week, where the kind has such a screen. */
    readonly calendar?: string
  }
  /** What plans are made from (模板) and the places that they are about. */
  readonly subjectLabel: string
  readonly targetLabel: string
  /** Filters of its tasks beside those that all kinds have. */
  readonly taskFilters?: readonly string[]
}

/** A kind whose plans are made from templates of weighted items over places. */
export interface KindSpec extends PlannedSpec {
  readonly calls: KindCalls
  /** Entities of the templates and of the places. */
  readonly templateRef: string
  readonly targetRef: string
}
