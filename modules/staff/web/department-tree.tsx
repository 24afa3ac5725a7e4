import { CaretRightFilled, PlusOutlined, SearchOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { sendAndInvalidate, createReasonAction } from '#kit/web/record-actions.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { loadPinyinMatcher } from '#kit/web/pinyin.ts'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { MoreActions, useAllowedActions } from '#kit/web/action.tsx'
import {
  addDepartment,
  deleteDepartments,
  getDepartmentTree,
  editDepartment,
  listDepartments,
  type Department,
  type DepartmentNode,
} from '../contract/department.ts'
import { moveStaff } from '../contract/staff.ts'
import { pruneTree } from '../domain/department-tree.ts'
import type { GetDisabledReason, PickedStaff } from './staff-picker-nodes.tsx'
import { StaffPicker } from './staff-picker.tsx'
import './staff.css'

const deleteAction = createReasonAction<DepartmentNode>(deleteDepartments, {
  unit: '个部门',
  nameOf: d => d.name,
  consequences: ['还有员工或下级部门时不能删除'],
  reasonPresets: ['部门撤销', '录入有误'],
})

const groups = [{ keys: ['name', 'parentId', 'leaderId', { key: 'sort', help: '小的排在前面' }, 'remark'] }]

const fetchDepartment = async (id: number): Promise<Department | undefined> =>
  (await send(listDepartments, { ids: [String(id)], page: 1, size: 1 }, { quiet: true })).rows[0]

/** Those on the way to a department, itself left out. */
const findAncestorIds = (nodes: readonly DepartmentNode[], id: number | undefined): readonly number[] => {
  for (const n of nodes) {
    if (n.id === id) return []
    const below = findAncestorIds(n.children, id)
    if (below.length || n.children.some(c => c.id === id)) return [n.id, ...below]
  }
  return []
}

/** Takes people into a department, from wherever they are. */
function MoveStaffInDialog({
  into,
  onClose,
}: {
  readonly into: DepartmentNode
  readonly onClose: () => void
}) {
  const why = useMemo<GetDisabledReason>(
    () => s => (s.departmentId === into.id ? '已在本部门' : undefined),
    [into.id],
  )
  const take = async (all: readonly PickedStaff[]): Promise<void> => {
    await sendAndInvalidate(moveStaff, { ids: all.map(s => String(s.id)), departmentId: into.id })
    toast.success(`已将 ${formatCount(all.length)} 名员工调入「${into.name}」`)
  }
  return (
    <StaffPicker
      title={`调入「${into.name}」`}
      many
      max={maxStaffPerMove}
      value={[]}
      why={why}
      note={all => `确定后，这 ${formatCount(all.length)} 人将从原部门调入「${into.name}」`}
      onDone={all => {
        onClose()
        if (all?.length) {
          void take(all).catch(() => undefined)
        }
      }}
    />
  )
}

/** As many as one call takes (G-11). */
const maxStaffPerMove = 2000

interface Props {
  readonly chosen: number | undefined
  readonly onChoose: (id: number | undefined) => void
}

/** The departments at the left of the people: chosen, added, changed, taken away where they stand. */
export function DepartmentTree({ chosen, onChoose }: Props) {
  const tree = useCall(getDepartmentTree, {}, { quiet: true, keepPrevious: true })
  const may = usePermission()
  const verbsFor = useAllowedActions()
  const all = tree.data ?? []
  const [into, setInto] = useState<DepartmentNode>()
  const [word, setWord] = useState('')
  const [match, setMatch] = useState<(text: string) => boolean>()
  const [shut, setShut] = useState<ReadonlySet<number>>(new Set())
  const form = useEdit({
    itemName: '部门',
    add: addDepartment,
    edit: editDepartment,
    load: fetchDepartment,
    nameOf: (d: Department) => d.name,
    groups,
    presentation: 'dialog',
    rules: v => (v.id && v.parentId === v.id ? { parentId: '上级不能是自己' } : undefined),
  })
  useEffect(() => {
    let live = true
    const w = word.trim()
    if (w) {
      void loadPinyinMatcher().then(m => {
        if (live) {
          setMatch(() => (text: string) => m(text, w) !== undefined)
        }
      })
    } else {
      setMatch(undefined)
    }
    return () => {
      live = false
    }
  }, [word])
  const shown = useMemo(
    () =>
      match
        ? pruneTree(
            all,
            n => match(n.name),
            () => false,
          )
        : all,
    [all, match],
  )
  useEffect(() => {
    const way = findAncestorIds(all, chosen)
    if (way.some(id => shut.has(id))) {
      setShut(was => new Set([...was].filter(id => !way.includes(id))))
    }
  }, [chosen, tree.data])
  const turn = (id: number): void =>
    setShut(was => {
      const now = new Set(was)
      if (!now.delete(id)) {
        now.add(id)
      }
      return now
    })

  const level = (nodes: readonly DepartmentNode[], depth: number): ReactNode =>
    nodes.map(n => {
      const open = match !== undefined || !shut.has(n.id)
      const verbs = verbsFor([
        {
          label: '新增下级部门',
          needs: addDepartment.needs as never,
          run: () => form.openCreate({ parentId: n.id }),
        },
        { label: '调入员工', needs: moveStaff.needs as never, run: () => setInto(n) },
        { label: '编辑部门', needs: editDepartment.needs as never, run: () => form.openEdit(n as never) },
        { ...deleteAction.row(n), label: '删除部门' },
      ])
      return (
        <li
          key={n.id}
          role="treeitem"
          aria-expanded={n.children.length ? open : undefined}
          aria-selected={chosen === n.id}
          aria-label={`${n.name}，${n.count} 人`}
        >
          <div className={chosen === n.id ? 'on' : undefined} style={{ paddingInlineStart: depth * 16 }}>
            {n.children.length > 0 ? (
              <button
                type="button"
                className="caret"
                aria-label={`${open ? '收起' : '展开'}${n.name}`}
                onClick={() => turn(n.id)}
              >
                <CaretRightFilled rotate={open ? 90 : 0} />
              </button>
            ) : (
              <i className="caret" />
            )}
            <button type="button" className="name ellipsis" title={n.name} onClick={() => onChoose(n.id)}>
              {n.name}
            </button>
            <small>{formatCount(n.count)}</small>
            {verbs.length > 0 && <MoreActions actions={verbs} label={`${n.name}的操作`} plain />}
          </div>
          {open && n.children.length > 0 && <ul role="group">{level(n.children, depth + 1)}</ul>}
        </li>
      )
    })
  return (
    <nav className="department-tree" aria-label="部门">
      <header>
        <b>部门</b>
        {may(addDepartment.needs as never) && (
          <Button
            size="small"
            type="text"
            icon={<PlusOutlined />}
            onClick={() => form.openCreate(chosen ? { parentId: chosen } : {})}
          >
            新增部门
          </Button>
        )}
      </header>
      <Input
        size="small"
        allowClear={allowClear}
        prefix={<SearchOutlined />}
        aria-label="查找部门"
        placeholder="查找部门"
        maxLength={40}
        value={word}
        onChange={e => setWord(e.target.value)}
      />
      <div className="scroll">
        {tree.isError && !tree.data ? (
          <ErrorState error={tree.error} onRetry={() => void tree.refetch()} />
        ) : !tree.data ? (
          <div style={{ position: 'relative', height: 240 }}>
            <RowSkeleton rows={5} width={[120, 30]} />
          </div>
        ) : (
          <ul role="tree" aria-label="部门">
            {!match && (
              <li role="treeitem" aria-selected={chosen === undefined}>
                <div className={chosen === undefined ? 'on' : undefined}>
                  <i className="caret" />
                  <button type="button" className="name" onClick={() => onChoose(undefined)}>
                    全部员工
                  </button>
                </div>
              </li>
            )}
            {level(shown, 0)}
            {match && !shown.length && <li className="pick-quiet">没有叫「{word.trim()}」的部门</li>}
            {!match && !all.length && <li className="pick-quiet">还没有部门</li>}
          </ul>
        )}
      </div>
      {form.dialog}
      {into && <MoveStaffInDialog into={into} onClose={() => setInto(undefined)} />}
    </nav>
  )
}
