import type { Id } from '#kit/domain/id.ts'
import { defineActions, type Actions } from '#kit/web/action.tsx'
import type { InviteVisitor } from '../contract/visitor.ts'
import { menu } from '../module.ts'
import type { CheckedVisitor } from './check-in-dialog.tsx'

export type NamedVisitor = Pick<InviteVisitor, 'id' | 'visitorName'>

export interface InsideProps {
  readonly projectCode: string
  readonly locationId: Id | undefined
  readonly isOverdue?: boolean
}

interface EntryCallbacks {
  readonly onEnter: (visitor: CheckedVisitor) => void
  readonly onPicture: (visitor: NamedVisitor) => void
}

export interface ExpectedProps extends EntryCallbacks {
  readonly projectCode: string
}

/** What a guard does with somebody who may come today. */
export const entryActions = (
  visitor: CheckedVisitor & NamedVisitor,
  { onEnter, onPicture }: EntryCallbacks,
): Actions =>
  defineActions([
    { label: '登记进入', needs: menu.visit.permissions.check, run: () => onEnter(visitor) },
    { label: '邀请函', needs: menu.invitation.permissions.link, run: () => onPicture(visitor) },
  ])
