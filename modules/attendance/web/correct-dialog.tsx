import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { updateDayState } from '../contract/day.ts'

export interface CorrectedDays {
  readonly ids: readonly string[]
  readonly title: string
}

/** 修改结果: what counts instead of what was computed, with the reason. */
export const CorrectDialog = actionDialog({
  call: updateDayState,
  title: ({ title }: CorrectedDays) => `修改考勤结果：${title}`,
  submitLabel: '保存',
  keys: [
    'state',
    { key: 'leaveType', isRequired: true, isHidden: values => values.state !== 'leave' },
    { key: 'reason', wide: true },
  ],
  target: ({ ids }) => ({ ids: [...ids] }),
  doneText: () => '已修改考勤结果',
})
