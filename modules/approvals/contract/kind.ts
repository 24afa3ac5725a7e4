import type { Fields } from '#kit/contract/field.ts'
import type { ApprovalKindKey } from './choices.ts'

/**
 * A kind of business that may wait for an approval, declared once by the module that it belongs to. Pure: the
 * server registers what the kind does (`server/public.ts`), the browser how it is shown (`web/public.ts`).
 */
export interface ApprovalKind<F extends Fields = Fields> {
  readonly key: ApprovalKindKey
  /**
   * The facts of a request, as they are kept with it: shown to approvers in this order, and asked by the
   * conditions of a definition (those of a number, money, days, a choice, a flag, a reference). What the
   * effect alone needs is `hiddenIn: ['detail']`. Values are those of memory: money in fen, choices by key.
   */
  readonly form: F
  /** Fields of the form that count with one option of another alone: else they are not asked for. */
  readonly onlyWith?: {
    readonly [K in keyof F]?: { readonly field: keyof F & string; readonly option: string }
  }
  /** Nobody approves what they have asked for themselves (APR-2). */
  readonly isMoney?: boolean
  /** Its requests do not ask whom the requester chooses: no node of a definition may leave it to them. */
  readonly offersNoChoice?: boolean
}

export const declareApprovalKind = <const F extends Fields>(kind: ApprovalKind<F>): ApprovalKind<F> => kind
