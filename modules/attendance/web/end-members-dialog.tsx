import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { today } from '#kit/web/date-format.ts'
import { endMembers } from '../contract/group.ts'

export interface EndedMembers {
  readonly ids: readonly string[]
  readonly title: string
}

export const EndMembersDialog = actionDialog({
  call: endMembers,
  title: ({ title }: EndedMembers) => `移出考勤组：${title}`,
  submitLabel: '移出',
  keys: ['endDate'],
  target: ({ ids }) => ({ ids: [...ids] }),
  initial: () => ({ endDate: today() }),
  doneText: () => '已移出考勤组',
})
