import type { KindCalls } from '../contract/kind-calls.ts'

/** A kind of planned work with its screens, for the pages that all kinds of weighted items share. */
export interface KindSpec {
  readonly calls: KindCalls
  readonly paths: {
    readonly plans: string
    readonly planForm: string
    readonly planDetail: string
    readonly tasks: string
    /** The own tasks on the telephone. */
    readonly phone: string
  }
  /** Entities of the templates and of the places that plans are about. */
  readonly templateRef: string
  readonly targetRef: string
  readonly targetLabel: string
}
