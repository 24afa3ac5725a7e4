import { Button, Input } from 'antd'
import { CloseOutlined, SearchOutlined } from '@ant-design/icons'
import { useCallback, type KeyboardEvent, type ReactNode } from 'react'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { errorSentence } from '#kit/web/list/list-states.tsx'
import { PickerSearchResult } from '#kit/web/pickers/picker-search.tsx'
import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import { TreeLeaf, TreeView } from '#kit/web/pickers/tree-view.tsx'
import { useChosenLeaves } from '#kit/web/pickers/use-chosen-leaves.ts'
import { useTree, type TreeSource } from '#kit/web/pickers/use-tree.ts'
import { useTreeSearch, type TreeSearch } from '#kit/web/pickers/use-tree-search.ts'
import { StaffAvatar } from './staff-avatar.tsx'
import type { PickedStaff } from './staff-picker-nodes.tsx'

type StaffNode = TreeNode<PickedStaff>

export interface StaffChoiceOptions {
  /** Of one only, the second takes the place of the first (0§4). */
  readonly many?: boolean
  /** The most that may be chosen of several; what goes beyond is cut (0§4). */
  readonly max?: number | undefined
  /** Under those who are chosen: what the choice leads to. */
  readonly note?: (chosen: readonly PickedStaff[]) => ReactNode
  /** Nothing: closed without choosing. */
  readonly onDone: (chosen: readonly PickedStaff[] | undefined) => void
}

const placeholder = '姓名、部门、岗位、手机，支持拼音首字母'

const StaffSearchBox = ({ search }: { readonly search: TreeSearch<PickedStaff> }) => (
  <Input
    className="staff-picker-search"
    aria-label={placeholder}
    placeholder={placeholder}
    prefix={<SearchOutlined />}
    allowClear={allowClear}
    maxLength={40}
    autoFocus
    value={search.text}
    onChange={e => search.setText(e.target.value)}
    onCompositionStart={() => search.setComposing(true)}
    onCompositionEnd={() => search.setComposing(false)}
  />
)

interface ChosenStaffProps {
  readonly nodes: readonly StaffNode[]
  readonly note: ReactNode
  readonly onRemove: (node: StaffNode) => void
  readonly onClear: () => void
}

/** Who is chosen, each to be taken out again. */
const ChosenStaff = ({ nodes, note, onRemove, onClear }: ChosenStaffProps) => (
  <section className="staff-chosen" aria-label="已选的人">
    <header>
      <b>已选 {formatCount(nodes.length)} 人</b>
      {nodes.length > 0 && (
        <button type="button" className="linkish" onClick={onClear}>
          清空
        </button>
      )}
    </header>
    <ul className="scroll">
      {nodes.map(n => (
        <li key={n.key}>
          <StaffAvatar name={n.label} size={30} />
          <div>
            <span className="ellipsis">{n.label}</span>
            <small className="ellipsis">
              {[n.data.departmentName ?? '未分配部门', n.data.position].filter(Boolean).join(' · ')}
            </small>
          </div>
          <button type="button" className="plain" aria-label={`移除${n.label}`} onClick={() => onRemove(n)}>
            <CloseOutlined />
          </button>
        </li>
      ))}
      {!nodes.length && <li className="pick-quiet">尚未选择</li>}
    </ul>
    {note && <p className="staff-picker-note">{note}</p>}
  </section>
)

interface StaffChooserProps extends StaffChoiceOptions {
  readonly title: string
  readonly source: TreeSource<PickedStaff>
  readonly value: readonly StaffNode[]
}

export function StaffChooser({ title, many = false, max, note, source, value, onDone }: StaffChooserProps) {
  const tree = useTree(source, value[0]?.path ?? [])
  const choice = useChosenLeaves({
    tree,
    value,
    multiple: many,
    max,
    unit: '人',
    errorText: errorSentence,
  })
  const search = useTreeSearch(source, tree)
  const { chosen } = choice
  const nodes = [...chosen.values()]
  const people = nodes.map(n => n.data)
  const confirmLeaf = useCallback(
    (leaf: StaffNode): void => {
      if (!many) {
        onDone([leaf.data])
      }
    },
    [many, onDone],
  )
  const onKey = (e: KeyboardEvent): void => {
    // Keys of the dialog are its own: the form under it hears none of them.
    e.stopPropagation()
    if (e.nativeEvent.isComposing || e.defaultPrevented) return
    if (e.key === 'Escape') {
      e.preventDefault()
      onDone(undefined)
    }
    if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) {
      e.preventDefault()
      onDone(people)
    }
  }
  const drawLeaves = (found: readonly StaffNode[]): ReactNode =>
    found.map(n => (
      <TreeLeaf
        key={n.key}
        leaf={n}
        selected={chosen.has(n.key)}
        multiple={many}
        cell={false}
        onLeaf={choice.onLeaf}
        onConfirm={confirmLeaf}
      />
    ))
  return (
    <div className="staff-picker" role="presentation" onKeyDown={onKey} onClick={e => e.stopPropagation()}>
      <h2>{title}</h2>
      <div className="staff-picker-body">
        <section aria-label="可选的人">
          <StaffSearchBox search={search} />
          <div className="scroll">
            {search.result ? (
              <PickerSearchResult
                result={search.result}
                notFoundText={undefined}
                errorText={errorSentence}
                onRetry={search.retry}
                drawLeaves={drawLeaves}
              />
            ) : (
              <TreeView
                tree={tree}
                chosen={chosen}
                counts={choice.counts}
                multiple={many}
                layout="rows"
                busy={choice.busyBranches}
                emptyText="暂无部门和员工"
                errorText={errorSentence}
                onLeaf={choice.onLeaf}
                onBranch={b => void choice.onBranch(b)}
                onConfirm={confirmLeaf}
              />
            )}
          </div>
        </section>
        <ChosenStaff
          nodes={nodes}
          note={nodes.length > 0 && note?.(people)}
          onRemove={choice.remove}
          onClear={choice.clear}
        />
      </div>
      <footer>
        <span aria-live="polite">
          已选 <b>{formatCount(nodes.length)}</b> 人
          {many ? max !== undefined && `，最多 ${max} 人` : '，只能选一人'}
        </span>
        <Button onClick={() => onDone(undefined)}>取消</Button>
        <Button type="primary" onClick={() => onDone(people)}>
          确定
        </Button>
      </footer>
    </div>
  )
}
