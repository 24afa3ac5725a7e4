import type { ComponentType } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { lending } from '#kit/web/lent.ts'
import type { openDesk } from '../contract/desk.ts'

/** Whose bills lie on the till. */
export type TillDesk = NonNullable<typeof openDesk.output.T>

export interface TillPart {
  readonly project: string
  readonly desk: TillDesk
  readonly onClose: () => void
  /** Money came or went: these records are printed, the till is read again. */ readonly onPaid: (
    recordIds: readonly number[],
  ) => void
}

/** What else a till takes from the one who stands before it; lent by the module that keeps that money. */
export interface TillAct {
  readonly key: string
  readonly label: string
  readonly keys: string
  readonly may: Permission
  readonly fits: (d: TillDesk) => boolean
  readonly Draw: ComponentType<TillPart>
}

export const tillActs = lending<TillAct>()
