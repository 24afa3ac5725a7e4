import type { Id } from '#kit/domain/id.ts'
import { CaretRightFilled, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { SearchInput } from '#kit/web/search-input.tsx'
import { defineActions, MoreActions, useAllowedActions, type Actions } from '#kit/web/action.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { send } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import {
  departments,
  getDepartmentTree,
  type Department,
  type DepartmentNode,
} from '../contract/department.ts'
import { menu } from '../module.ts'
import { MoveStaffInDialog } from './move-staff-in-dialog.tsx'
import { useDepartmentFilter } from './use-department-filter.ts'
import './staff.css'

const { department, staff } = menu

const deleteAction = createReasonAction<DepartmentNode>(departments.delete, {
  unit: '个部门',
  nameOf: d => d.name,
  consequences: ['还有员工或下级部门时不能删除'],
  reasonPresets: ['部门撤销', '录入有误'],
})

const groups = [{ keys: ['name', 'parentId', 'leaderId', { key: 'sort', help: '数值小的排在前' }, 'remark'] }]

const fetchDepartment = async (id: Id): Promise<Department | undefined> =>
  (await send(departments.list, { ids: [String(id)], page: 1, size: 1 }, { quiet: true })).rows[0]

const useDepartmentForm = () =>
  useEdit({
    itemName: '部门',
    add: departments.add,
    edit: departments.edit,
    load: fetchDepartment,
    nameOf: (d: Pick<Department, 'id' | 'name'>) => d.name,
    groups,
    presentation: 'dialog',
    rules: v => (v.id && v.parentId === v.id ? { parentId: '上级不能是本部门' } : undefined),
  })

/** Those on the way to a department, itself left out. */
const findAncestorIds = (nodes: readonly DepartmentNode[], id: Id | undefined): readonly Id[] => {
  for (const n of nodes) {
    if (n.id === id) return []
    const below = findAncestorIds(n.children, id)
    if (below.length || n.children.some(c => c.id === id)) return [n.id, ...below]
  }
  return []
}

const none: readonly DepartmentNode[] = []

/** Branches are open until they are closed; those above the chosen department open again. */
function useCollapsed(tree: readonly DepartmentNode[], chosen: Id | undefined) {
  const [collapsed, setCollapsed] = useState<ReadonlySet<Id>>(new Set())
  useEffect(() => {
    const ancestors = findAncestorIds(tree, chosen)
    if (ancestors.some(id => collapsed.has(id))) {
      setCollapsed(previous => new Set([...previous].filter(id => !ancestors.includes(id))))
    }
  }, [chosen, tree])
  const toggle = (id: Id): void =>
    setCollapsed(previous => {
      const next = new Set(previous)
      if (!next.delete(id)) {
        next.add(id)
      }
      return next
    })
  return { collapsed, toggle }
}

interface DepartmentTreeProps {
  readonly chosen: Id | undefined
  readonly onChoose: (id: Id | undefined) => void
}

interface BranchProps extends DepartmentTreeProps {
  readonly node: DepartmentNode
  readonly depth: number
  readonly isOpen: (id: Id) => boolean
  readonly onToggle: (id: Id) => void
  readonly actionsOf: (node: DepartmentNode) => Actions
}

/** A department with its actions, and under it those that belong to it. */
function DepartmentBranch({ node, depth, ...tree }: BranchProps) {
  const { chosen, onChoose, onToggle } = tree
  const actions = useAllowedActions()(tree.actionsOf(node))
  const hasChildren = node.children.length > 0
  const isOpen = tree.isOpen(node.id)
  return (
    <li role="none">
      <div
        role="treeitem"
        aria-level={depth + 1}
        aria-expanded={hasChildren ? isOpen : undefined}
        aria-selected={chosen === node.id}
        className={chosen === node.id ? 'on' : undefined}
        style={{ paddingInlineStart: depth * 16 }}
      >
        {hasChildren ? (
          <button
            type="button"
            className="caret"
            aria-label={`${isOpen ? '收起' : '展开'}${node.name}`}
            onClick={() => onToggle(node.id)}
          >
            <CaretRightFilled rotate={isOpen ? 90 : 0} />
          </button>
        ) : (
          <i className="caret" />
        )}
        <button type="button" className="name ellipsis" title={node.name} onClick={() => onChoose(node.id)}>
          {node.name}
        </button>
        <small>{formatCount(node.count)}</small>
        {actions.length > 0 && <MoreActions actions={actions} label={`${node.name}的操作`} plain />}
      </div>
      {isOpen && hasChildren && (
        <ul role="group">
          {node.children.map(c => (
            <DepartmentBranch key={c.id} node={c} depth={depth + 1} {...tree} />
          ))}
        </ul>
      )}
    </li>
  )
}

const AllStaffItem = ({ chosen, onChoose }: DepartmentTreeProps) => (
  <li role="none">
    <div
      role="treeitem"
      aria-level={1}
      aria-selected={chosen === undefined}
      className={chosen === undefined ? 'on' : undefined}
    >
      <i className="caret" />
      <button type="button" className="name" onClick={() => onChoose(undefined)}>
        全部员工
      </button>
    </div>
  </li>
)

/** The departments at the left of the people: chosen, added, edited and deleted in place. */
export function DepartmentTree({ chosen, onChoose }: DepartmentTreeProps) {
  const tree = useCall(getDepartmentTree, {}, { quiet: true, keepPrevious: true })
  const hasPermission = usePermission()
  const all = tree.data ?? none
  const [movingInto, setMovingInto] = useState<DepartmentNode>()
  const filter = useDepartmentFilter(all)
  const { collapsed, toggle } = useCollapsed(all, chosen)
  const form = useDepartmentForm()
  const actionsOf = (node: DepartmentNode): Actions =>
    defineActions([
      {
        label: '新增下级部门',
        needs: department.permissions.add,
        run: () => form.openCreate({ parentId: node.id }),
      },
      { label: '调入员工', needs: staff.permissions.edit, run: () => setMovingInto(node) },
      { label: '编辑部门', needs: department.permissions.edit, run: () => form.openEdit(node) },
      { ...deleteAction.row(node), label: '删除部门' },
    ])
  return (
    <nav className="department-tree" aria-label="部门">
      <header>
        <b>部门</b>
        {hasPermission(department.permissions.add) && (
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
      <SearchInput
        size="small"
        aria-label="查找部门"
        placeholder="查找部门"
        maxLength={40}
        value={filter.text}
        onChange={e => filter.setText(e.target.value)}
      />
      <div className="scroll">
        <Loaded query={tree} height={240} rows={5} width={[120, 30]} keepsAnswer>
          {() => (
            <ul role="tree" aria-label="部门">
              {!filter.isFiltered && <AllStaffItem chosen={chosen} onChoose={onChoose} />}
              {filter.shown.map(node => (
                <DepartmentBranch
                  key={node.id}
                  node={node}
                  depth={0}
                  chosen={chosen}
                  onChoose={onChoose}
                  isOpen={id => filter.isFiltered || !collapsed.has(id)}
                  onToggle={toggle}
                  actionsOf={actionsOf}
                />
              ))}
              {filter.isFiltered && !filter.shown.length && (
                <li className="pick-quiet">部门「{filter.word}」不存在</li>
              )}
              {!filter.isFiltered && !all.length && <li className="pick-quiet">暂无部门</li>}
            </ul>
          )}
        </Loaded>
      </div>
      {form.dialog}
      {movingInto && <MoveStaffInDialog department={movingInto} onClose={() => setMovingInto(undefined)} />}
    </nav>
  )
}
