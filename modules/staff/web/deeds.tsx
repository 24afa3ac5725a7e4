import { useMemo, useState, type ReactNode } from 'react'
import { withReason } from '#kit/web/acts.ts'
import { count } from '#kit/web/figure.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import type { Verbs } from '#kit/web/verb.tsx'
import { today } from '#kit/web/when.ts'
import {
  addTags,
  deleteStaff,
  dropTags,
  leaveStaff,
  moveStaff,
  updateHead,
  type Staff,
} from '../contract/staff.ts'
import { menu } from '../module.ts'

export const remove = withReason<Staff>(deleteStaff, {
  what: '名员工',
  name: s => s.name,
  follows: ['删除用于录错的记录；员工离开请办理离职，资料会保留'],
  presets: ['录入有误', '重复录入'],
})

export type Deed = 'move' | 'tag' | 'untag' | 'leave' | 'head'

interface Props {
  readonly deed: Deed
  readonly of: readonly Staff[]
  readonly onClose: () => void
}

const who = (of: readonly Staff[]): string =>
  of.length === 1 ? `「${of[0]!.name}」` : ` ${count(of.length)} 名员工`

const deeds = {
  move: {
    call: moveStaff,
    title: '调整部门',
    words: '调整部门',
    done: '已调整部门',
    groups: [{ keys: ['departmentId'] }],
  },
  tag: {
    call: addTags,
    title: '加标签',
    words: '加标签',
    done: '已加标签',
    groups: [{ keys: [{ key: 'tags', wide: true, help: '标签在「员工标签」里维护' }] }],
  },
  untag: {
    call: dropTags,
    title: '去掉标签',
    words: '去掉标签',
    done: '已去掉标签',
    groups: [{ keys: [{ key: 'tags', wide: true }] }],
  },
  leave: {
    call: leaveStaff,
    title: '离职',
    words: '办理离职',
    done: '已办理离职',
    groups: [{ keys: ['leaveDate', 'reason'] }],
  },
  head: {
    call: updateHead,
    title: '更换头像',
    words: '保存',
    done: '已更换头像',
    groups: [{ keys: [{ key: 'head', wide: true, help: '图片，不超过 2048 KB' }] }],
  },
} as const

const before: Partial<Record<Deed, (of: readonly Staff[]) => ReactNode>> = {
  leave: of => (
    <p className="staff-note">
      离职后不再出现在选人控件里，所任的部门负责人会空出。
      {of.some(s => s.managerId) ? '登录账号不会自动停用，请到「管理员」办理离职交接。' : ''}
    </p>
  ),
}

/** One deed on one or several people: a short form over the list. */
export function DeedDialog({ deed, of, onClose }: Props) {
  const d = deeds[deed]
  const go = useSend(d.call as typeof moveStaff, { quiet: true })
  const [ids] = useState(() => of.map(s => String(s.id)))
  const given = useMemo(() => (deed === 'head' ? { id: of[0]!.id } : { ids }), [deed, ids])
  const initial = useMemo(
    () => ({
      ...given,
      ...(deed === 'leave'
        ? { leaveDate: today() }
        : deed === 'untag' && of.length === 1
          ? { tags: of[0]!.tags }
          : deed === 'head'
            ? { head: of[0]!.head }
            : deed === 'move' && of.length === 1
              ? { departmentId: of[0]!.departmentId }
              : {}),
    }),
    [given],
  )
  return (
    <EditDialog
      of={d.call.input as typeof moveStaff.input}
      title={`${d.title}${who(of)}`}
      groups={d.groups}
      initial={initial as never}
      words={d.words}
      as="dialog"
      below={() => before[deed]?.(of) ?? null}
      save={v => go.mutateAsync({ ...v, ...given })}
      onClose={onClose}
      onDone={() => {
        toast.success(`${d.done}${who(of)}`)
        onClose()
      }}
    />
  )
}

/** What can be done with somebody, and the dialog that does it. */
export function useDeeds(): {
  readonly verbs: (s: Staff) => Verbs
  readonly open: (deed: Deed, of: readonly Staff[]) => void
  readonly dialog: ReactNode
} {
  const [doing, setDoing] = useState<{ readonly deed: Deed; readonly of: readonly Staff[] }>()
  const open = (deed: Deed, of: readonly Staff[]): void => setDoing({ deed, of })
  const edit = menu.staff.may.edit
  return {
    open,
    verbs: s => [
      { label: '调整部门', may: edit, run: () => open('move', [s]) },
      { label: '加标签', may: edit, run: () => open('tag', [s]) },
      ...(s.state === 'left' ? [] : [{ label: '离职', may: edit, run: () => open('leave', [s]) }]),
      { label: '更换头像', may: edit, run: () => open('head', [s]) },
      ...(s.tags?.length ? [{ label: '去掉标签', may: edit, run: () => open('untag', [s]) }] : []),
    ],
    dialog: doing ? <DeedDialog {...doing} onClose={() => setDoing(undefined)} /> : null,
  }
}
