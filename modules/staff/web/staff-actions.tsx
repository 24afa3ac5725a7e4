import { defined } from '#kit/domain/defined.ts'
import { useMemo, useState, type ComponentType, type ReactNode } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { defineActions, type Actions } from '#kit/web/action.tsx'
import { today } from '#kit/web/date-format.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import {
  tagStaff,
  untagStaff,
  resignStaff,
  moveStaff,
  updateStaffAvatar,
  type Staff,
} from '../contract/staff.ts'
import { menu } from '../module.ts'

export type StaffAction = 'move' | 'tag' | 'untag' | 'resign' | 'avatar'

interface DialogProps {
  readonly staff: readonly Staff[]
  readonly onClose: () => void
}

interface StaffActionSpec<I> {
  readonly call: Call<I>
  readonly title: string
  readonly submitLabel?: string
  readonly doneText: string
  readonly keys: FormFieldGroup['keys']
  /** What names those it is about. */
  readonly target: (staff: readonly Staff[]) => Partial<I>
  /** What the form begins with; `one` where there is one alone. */
  readonly initial?: (one: Staff | undefined) => Partial<I>
  readonly note?: (staff: readonly Staff[]) => ReactNode
}

const describeStaff = (staff: readonly Staff[]): string =>
  staff.length === 1 ? `「${defined(staff[0]).name}」` : ` ${formatCount(staff.length)} 名员工`

const idsOf = (staff: readonly Staff[]) => ({ ids: staff.map(s => String(s.id)) })

/** One action on one or several people: a short form over the list. */
const staffActionDialog = <I extends object>(spec: StaffActionSpec<I>): ComponentType<DialogProps> =>
  function StaffActionDialog({ staff, onClose }) {
    const { call, title, submitLabel = title, doneText, keys, note } = spec
    const sending = useSend(call, { quiet: true })
    const [target] = useState(() => spec.target(staff))
    const groups = useMemo(() => [{ keys }], [keys])
    const initial = useMemo(() => {
      const one = staff.length === 1 ? staff[0] : undefined
      return { ...target, ...spec.initial?.(one) }
    }, [target])
    return (
      <EditDialog
        shape={call.input}
        title={`${title}${describeStaff(staff)}`}
        groups={groups}
        initial={initial}
        submitLabel={submitLabel}
        presentation="dialog"
        below={() => note?.(staff) ?? null}
        save={v => sending.mutateAsync({ ...v, ...target })}
        onClose={onClose}
        onDone={() => {
          toast.success(`${doneText}${describeStaff(staff)}`)
          onClose()
        }}
      />
    )
  }

const dialogs: Readonly<Record<StaffAction, ComponentType<DialogProps>>> = {
  move: staffActionDialog({
    call: moveStaff,
    title: '调整部门',
    doneText: '已调整部门',
    keys: ['departmentId'],
    target: idsOf,
    initial: one => (one?.departmentId ? { departmentId: one.departmentId } : {}),
  }),
  tag: staffActionDialog({
    call: tagStaff,
    title: '添加标签',
    doneText: '已添加标签',
    keys: [{ key: 'tags', wide: true, help: '标签在「员工标签」里维护' }],
    target: idsOf,
  }),
  untag: staffActionDialog({
    call: untagStaff,
    title: '移除标签',
    doneText: '已移除标签',
    keys: [{ key: 'tags', wide: true }],
    target: idsOf,
    initial: one => (one?.tags ? { tags: one.tags } : {}),
  }),
  resign: staffActionDialog({
    call: resignStaff,
    title: '离职',
    submitLabel: '办理离职',
    doneText: '已办理离职',
    keys: ['leaveDate', 'reason'],
    target: idsOf,
    initial: () => ({ leaveDate: today() }),
    note: staff => (
      <p className="staff-note">
        离职后不再出现在选人控件里，所任的部门负责人会空出。
        {staff.some(s => s.managerId) ? '登录账号不会自动停用，请到「管理员」办理离职交接。' : ''}
      </p>
    ),
  }),
  avatar: staffActionDialog({
    call: updateStaffAvatar,
    title: '更换头像',
    submitLabel: '保存',
    doneText: '已更换头像',
    keys: [{ key: 'head', wide: true, help: '图片，不超过 2048 KB' }],
    target: ([one]) => ({ id: defined(one).id }),
    initial: one => (one?.head ? { head: one.head } : {}),
  }),
}

/** What can be done with somebody, and the dialog that does it. */
export function useStaffActions(): {
  readonly actionsOf: (s: Staff) => Actions
  readonly open: (action: StaffAction, staff: readonly Staff[]) => void
  readonly dialog: ReactNode
} {
  const [opened, setOpened] = useState<{ readonly action: StaffAction; readonly staff: readonly Staff[] }>()
  const open = (action: StaffAction, staff: readonly Staff[]): void => setOpened({ action, staff })
  const needs = menu.staff.permissions.edit
  const Dialog = opened && dialogs[opened.action]
  return {
    open,
    actionsOf: s =>
      defineActions([
        { label: '调整部门', needs, run: () => open('move', [s]) },
        { label: '添加标签', needs, run: () => open('tag', [s]) },
        s.state !== 'left' && { label: '离职', needs, run: () => open('resign', [s]) },
        { label: '更换头像', needs, run: () => open('avatar', [s]) },
        s.tags?.length ? { label: '移除标签', needs, run: () => open('untag', [s]) } : undefined,
      ]),
    dialog: Dialog ? <Dialog staff={opened.staff} onClose={() => setOpened(undefined)} /> : null,
  }
}
