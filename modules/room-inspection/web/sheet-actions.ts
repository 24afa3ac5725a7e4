import { sendAndInvalidate, createReasonAction } from '#kit/web/record-actions.ts'
import type { Action, Actions } from '#kit/web/action.tsx'
import { confirm } from '#kit/web/confirm.tsx'
import { hasPermission } from '#kit/web/session.ts'
import {
  recheckInspection,
  roomInspections,
  startInspection,
  type RoomInspection,
} from '../contract/inspection.ts'
import { canDo } from '../domain/inspection.ts'
import { menu, paths } from '../module.ts'

/** One sheet on the phone page, or the list of them. */
export const openPhone = (id?: number): void => {
  window.open(id === undefined ? paths.phone : `${paths.phone}?id=${id}`, '_blank')
}

export const printSheet = (id: number): void => {
  window.open(`${paths.print}?id=${id}`, '_blank')
}

export const removeSheet = createReasonAction(roomInspections.delete, {
  unit: '张验房单',
  nameOf: (sheet: RoomInspection) => sheet.sheetNo,
  disabledReason: sheet => (canDo('edit', sheet.state) ? undefined : '已开始查验，不能删除'),
})

const { inspect, edit } = menu.sheet.permissions

/** Whether the sheet is planned for somebody else. */
export const isOfAnother = ({ inspectorId }: RoomInspection, myId: number | undefined): boolean =>
  inspectorId !== undefined && inspectorId !== myId

/** Starting a sheet of somebody else takes it over: that is asked, and needs the right to change the plan. */
const startAction = (sheet: RoomInspection, myId: number | undefined): Action => {
  const takesOver = isOfAnother(sheet, myId)
  const inspector = sheet.inspectorName ?? '其他人'
  return {
    label: takesOver ? '接手查验' : '开始查验',
    needs: inspect,
    disabledReason:
      takesOver && !hasPermission(edit) ? `由${inspector}查验；接手需要「${edit.label}」权限` : undefined,
    run: async () => {
      const isAgreed =
        !takesOver ||
        (await confirm({
          title: '接手查验',
          text: `该验房单计划由${inspector}查验，接手后由你查验，并记入变更记录。`,
          okLabel: '接手查验',
        }))
      if (!isAgreed) return
      await sendAndInvalidate(startInspection, { id: sheet.id, ...(takesOver ? { takesOver } : {}) })
      openPhone(sheet.id)
    },
  }
}

/** What a sheet can go on with, by its state (C13). */
export const sheetActions = (sheet: RoomInspection, myId: number | undefined): Actions => [
  canDo('start', sheet.state) && startAction(sheet, myId),
  canDo('inspect', sheet.state) && {
    label: '继续查验',
    needs: inspect,
    disabledReason: sheet.inspectorId === myId ? undefined : `由${sheet.inspectorName ?? '其他人'}查验中`,
    run: () => openPhone(sheet.id),
  },
  canDo('recheck', sheet.state) && {
    label: '复查',
    needs: inspect,
    run: async () => {
      await sendAndInvalidate(recheckInspection, { id: sheet.id })
      openPhone(sheet.id)
    },
  },
  sheet.startTime !== undefined && { label: '打印', run: () => printSheet(sheet.id) },
]
