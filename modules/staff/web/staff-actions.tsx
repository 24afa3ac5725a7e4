import { defined } from '#kit/domain/defined.ts'
import { useMemo, useState, type ReactNode } from 'react'
import { formatCount } from '#kit/web/numbers.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import type { Actions } from '#kit/web/action.tsx'
import { today } from '#kit/web/date-format.ts'
import {
  tagStaff,
  untagStaff,
  resignStaff,
  moveStaff,
  updateStaffAvatar,
  type Staff,
} from '../contract/staff.ts'
import { menu } from '../module.ts'

export type StaffAction = 'move' | 'tag' | 'untag' | 'leave' | 'head'

interface Props {
  readonly deed: StaffAction
  readonly of: readonly Staff[]
  readonly onClose: () => void
}

const describeStaff = (of: readonly Staff[]): string =>
  of.length === 1 ? `「${defined(of[0]).name}」` : ` ${formatCount(of.length)} 名员工`

const actionSettings = {
  move: {
    call: moveStaff,
    title: '调整部门',
    words: '调整部门',
    done: '已调整部门',
    groups: [{ keys: ['departmentId'] }],
  },
  tag: {
    call: tagStaff,
    title: '加标签',
    words: '加标签',
    done: '已加标签',
    groups: [{ keys: [{ key: 'tags', wide: true, help: '标签在「员工标签」里维护' }] }],
  },
  untag: {
    call: untagStaff,
    title: '去掉标签',
    words: '去掉标签',
    done: '已去掉标签',
    groups: [{ keys: [{ key: 'tags', wide: true }] }],
  },
  leave: {
    call: resignStaff,
    title: '离职',
    words: '办理离职',
    done: '已办理离职',
    groups: [{ keys: ['leaveDate', 'reason'] }],
  },
  head: {
    call: updateStaffAvatar,
    title: '更换头像',
    words: '保存',
    done: '已更换头像',
    groups: [{ keys: [{ key: 'head', wide: true, help: '图片，不超过 2048 KB' }] }],
  },
} as const

const actionNotes: Partial<Record<StaffAction, (of: readonly Staff[]) => ReactNode>> = {
  leave: of => (
    <p className="staff-note">
      离职后不再出现在选人控件里，所任的部门负责人会空出。
      {of.some(s => s.managerId) ? '登录账号不会自动停用，请到「管理员」办理离职交接。' : ''}
    </p>
  ),
}

/** One deed on one or several people: a short form over the list. */
export function StaffActionDialog({ deed, of, onClose }: Props) {
  const d = actionSettings[deed]
  const go = useSend(d.call as typeof moveStaff, { quiet: true })
  const [ids] = useState(() => of.map(s => String(s.id)))
  const given = useMemo(() => (deed === 'head' ? { id: defined(of[0]).id } : { ids }), [deed, ids])
  const initial = useMemo(
    () => ({
      ...given,
      ...(deed === 'leave'
        ? { leaveDate: today() }
        : deed === 'untag' && of.length === 1
          ? { tags: defined(of[0]).tags }
          : deed === 'head'
            ? { head: defined(of[0]).head }
            : deed === 'move' && of.length === 1
              ? { departmentId: defined(of[0]).departmentId }
              : {}),
    }),
    [given],
  )
  return (
    <EditDialog
      shape={d.call.input as typeof moveStaff.input}
      title={`${d.title}${describeStaff(of)}`}
      groups={d.groups}
      initial={initial}
      submitLabel={d.words}
      presentation="dialog"
      below={() => actionNotes[deed]?.(of) ?? null}
      save={v => go.mutateAsync({ ...v, ...given })}
      onClose={onClose}
      onDone={() => {
        toast.success(`${d.done}${describeStaff(of)}`)
        onClose()
      }}
    />
  )
}

/** What can be done with somebody, and the dialog that does it. */
export function useStaffActions(): {
  readonly verbs: (s: Staff) => Actions
  readonly open: (deed: StaffAction, of: readonly Staff[]) => void
  readonly dialog: ReactNode
} {
  const [doing, setDoing] = useState<{ readonly deed: StaffAction; readonly of: readonly Staff[] }>()
  const open = (deed: StaffAction, of: readonly Staff[]): void => setDoing({ deed, of })
  const edit = menu.staff.permissions.edit
  return {
    open,
    verbs: s => [
      { label: '调整部门', needs: edit, run: () => open('move', [s]) },
      { label: '加标签', needs: edit, run: () => open('tag', [s]) },
      ...(s.state === 'left' ? [] : [{ label: '离职', needs: edit, run: () => open('leave', [s]) }]),
      { label: '更换头像', needs: edit, run: () => open('head', [s]) },
      ...(s.tags?.length ? [{ label: '去掉标签', needs: edit, run: () => open('untag', [s]) }] : []),
    ],
    dialog: doing ? <StaffActionDialog {...doing} onClose={() => setDoing(undefined)} /> : null,
  }
}
