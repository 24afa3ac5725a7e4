import { defined } from '#kit/domain/defined.ts'
import { defineActions, type Actions } from '#kit/web/action.tsx'
import { today } from '#kit/web/date-format.ts'
import { actionDialog, useActionDialogs } from '#kit/web/form/action-dialog.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import {
  tagStaff,
  untagStaff,
  resignStaff,
  moveStaff,
  updateStaffAvatar,
  type Staff,
} from '../contract/staff.ts'
import { menu } from '../module.ts'

type People = readonly Staff[]

const describeStaff = (staff: People): string =>
  staff.length === 1 ? `「${defined(staff[0]).name}」` : ` ${formatCount(staff.length)} 名员工`

/** What somebody has already, where the form is about that one alone. */
const ofOneAlone =
  <I,>(initialOf: (one: Staff) => I) =>
  ([one, ...others]: People): I | undefined =>
    one && !others.length ? initialOf(one) : undefined

const target = (staff: People) => ({ ids: staff.map(s => String(s.id)) })
const words = (title: string, doneText: string, submitLabel = title) => ({
  submitLabel,
  title: (staff: People) => `${title}${describeStaff(staff)}`,
  doneText: (staff: People) => `${doneText}${describeStaff(staff)}`,
})

const dialogs = {
  move: actionDialog({
    ...words('调整部门', '已调整部门'),
    call: moveStaff,
    keys: ['departmentId'],
    target,
    initial: ofOneAlone(({ departmentId }) => (departmentId ? { departmentId } : {})),
  }),
  tag: actionDialog({
    ...words('添加标签', '已添加标签'),
    call: tagStaff,
    keys: [{ key: 'tags', wide: true, help: '标签在「员工标签」里维护' }],
    target,
  }),
  untag: actionDialog({
    ...words('移除标签', '已移除标签'),
    call: untagStaff,
    keys: [{ key: 'tags', wide: true }],
    target,
    initial: ofOneAlone(({ tags }) => (tags ? { tags } : {})),
  }),
  resign: actionDialog({
    ...words('离职', '已办理离职', '办理离职'),
    call: resignStaff,
    keys: ['leaveDate', 'reason'],
    target,
    initial: () => ({ leaveDate: today() }),
    below: (_, staff) => (
      <p className="staff-note">
        离职后不再出现在选人控件里，所任的部门负责人会空出。
        {staff.some(s => s.managerId) ? '登录账号不会自动停用，请到「管理员」办理离职交接。' : ''}
      </p>
    ),
  }),
  avatar: actionDialog({
    ...words('更换头像', '已更换头像', '保存'),
    call: updateStaffAvatar,
    keys: [{ key: 'head', wide: true, help: '图片，不超过 2048 KB' }],
    target: ([one]) => ({ id: defined(one).id }),
    initial: ofOneAlone(({ head }) => (head ? { head } : {})),
  }),
}

export type StaffAction = keyof typeof dialogs

/** What can be done with somebody, and the dialog that does it. */
export function useStaffActions() {
  const { open, dialog } = useActionDialogs<People, StaffAction>(dialogs)
  const needs = menu.staff.permissions.edit
  const actionsOf = (s: Staff): Actions =>
    defineActions([
      { label: '调整部门', needs, run: () => open('move', [s]) },
      { label: '添加标签', needs, run: () => open('tag', [s]) },
      s.state !== 'left' && { label: '离职', needs, run: () => open('resign', [s]) },
      { label: '更换头像', needs, run: () => open('avatar', [s]) },
      s.tags?.length ? { label: '移除标签', needs, run: () => open('untag', [s]) } : undefined,
    ])
  return { open, dialog, actionsOf }
}
