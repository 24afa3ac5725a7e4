import { defined } from '#kit/domain/defined.ts'
import { Button, Input, Modal } from 'antd'
import { CloseOutlined, SearchOutlined } from '@ant-design/icons'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { RowSkeleton, ErrorState, errorText } from '#kit/web/list/list-states.tsx'
import {
  countChosen,
  toggleAll,
  toggleLeaf,
  type ChosenLeaves,
  type TreeNode,
  type SelectionResult,
} from '#kit/web/pickers/tree-selection.ts'
import { TreeLeaf, TreeView } from '#kit/web/pickers/tree-view.tsx'
import { useTree, type TreeSource } from '#kit/web/pickers/use-tree.ts'
import { useCall } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { getStaffTree } from '../contract/department.ts'
import { listStaff } from '../contract/staff.ts'
import { StaffAvatar } from './staff-avatar.tsx'
import {
  toStaffNode,
  collectPeople,
  createStaffSource,
  type GetDisabledReason,
  type PickedStaff,
} from './staff-picker-nodes.tsx'
import './staff.css'

export interface StaffPickerProps {
  readonly title?: string
  /** Of one only, the second takes the place of the first (0§4). */
  readonly many?: boolean
  /** The most that may be chosen of several; what goes beyond is cut (0§4). */
  readonly max?: number | undefined
  /** Ids of those who are chosen already; who has left the company stays until he is taken out. */
  readonly value: readonly number[]
  /** Why somebody may not be chosen. Must be the same function as long as the picker stands. */
  readonly why?: GetDisabledReason
  /** Under those who are chosen: what the choice leads to. */
  readonly note?: (chosen: readonly PickedStaff[]) => ReactNode
  /** Nothing: left without choosing. */
  readonly onDone: (chosen: readonly PickedStaff[] | undefined) => void
}

const placeholder = '姓名、部门、岗位、手机，支持拼音首字母'

const getErrorText = (e: unknown): string => {
  const w = errorText(e)
  return [w.words, w.more].filter(Boolean).join('，')
}

type StaffChooserProps = Omit<StaffPickerProps, 'value'> & {
  readonly source: TreeSource<PickedStaff>
  readonly begin: readonly TreeNode<PickedStaff>[]
}

function StaffChooser({
  title,
  many = false,
  max,
  note,
  source,
  begin,
  onDone,
}: StaffChooserProps & { readonly title: string }) {
  const tree = useTree(source, begin[0]?.path ?? [])
  const [chosen, setChosen] = useState<ChosenLeaves<PickedStaff>>(() => new Map(begin.map(n => [n.key, n])))
  const counts = useMemo(() => countChosen(chosen), [chosen])
  const [word, setWord] = useState('')
  const [composing, setComposing] = useState(false)
  const [found, setFound] = useState<{
    readonly word: string
    readonly nodes?: readonly TreeNode<PickedStaff>[]
    readonly error?: unknown
  }>()
  const turn = useRef(0)
  const all = [...chosen.values()]
  const people = all.map(n => n.data)
  const put = ({ chosen: next, omitted }: SelectionResult<PickedStaff>): void => {
    setChosen(next)
    if (omitted) {
      toast.warning(`最多选择${max}人`)
    }
  }
  const onLeaf = (leaf: TreeNode<PickedStaff>): void => put(toggleLeaf(chosen, leaf, { many, max }))
  const onTake = (leaf: TreeNode<PickedStaff>): void => {
    if (!many) {
      onDone([leaf.data])
    }
  }
  useEffect(() => {
    if (composing) return undefined
    const w = word.trim()
    const mine = ++turn.current
    if (!w) {
      setFound(undefined)
      return undefined
    }
    const t = setTimeout(() => {
      defined(source.search)(w).then(
        nodes => {
          if (turn.current === mine) {
            setFound({ word: w, nodes })
          }
        },
        (error: unknown) => {
          if (turn.current === mine) {
            setFound({ word: w, error })
          }
        },
      )
    }, 200)
    return () => clearTimeout(t)
  }, [word, composing, source])
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
  return (
    <div className="staff-picker" onKeyDown={onKey} onClick={e => e.stopPropagation()}>
      <h2>{title}</h2>
      <div className="staff-picker-body">
        <section aria-label="可选的人">
          <Input
            className="staff-picker-search"
            aria-label={placeholder}
            placeholder={placeholder}
            prefix={<SearchOutlined />}
            allowClear={allowClear}
            maxLength={40}
            autoFocus
            value={word}
            onChange={e => setWord(e.target.value)}
            onCompositionStart={() => setComposing(true)}
            onCompositionEnd={() => setComposing(false)}
          />
          <div className="scroll">
            {found?.error !== undefined ? (
              <p className="pick-trouble" role="alert">
                {getErrorText(found.error)}
              </p>
            ) : found?.nodes ? (
              found.nodes.length ? (
                <div className="pick-found" role="group" aria-label="查找结果">
                  {found.nodes.map(n => (
                    <TreeLeaf
                      key={n.key}
                      leaf={n}
                      selected={chosen.has(n.key)}
                      multiple={many}
                      cell={false}
                      onLeaf={onLeaf}
                      onConfirm={onTake}
                    />
                  ))}
                </div>
              ) : (
                <p className="pick-quiet">没有找到「{found.word}」，换个写法再试</p>
              )
            ) : (
              <TreeView
                tree={tree}
                chosen={chosen}
                counts={counts}
                multiple={many}
                layout="rows"
                busy={new Set()}
                emptyText="还没有部门和员工"
                errorText={getErrorText}
                onLeaf={onLeaf}
                onBranch={b => void tree.loadLeaves(b).then(leaves => put(toggleAll(chosen, leaves, max)))}
                onConfirm={onTake}
              />
            )}
          </div>
        </section>
        <section className="staff-chosen" aria-label="已选的人">
          <header>
            <b>已选 {formatCount(all.length)} 人</b>
            {all.length > 0 && (
              <button type="button" className="linkish" onClick={() => setChosen(new Map())}>
                清空
              </button>
            )}
          </header>
          <ul className="scroll">
            {all.map(n => (
              <li key={n.key}>
                <StaffAvatar name={n.label} size={30} />
                <div>
                  <span className="ellipsis">{n.label}</span>
                  <small className="ellipsis">
                    {[n.data.departmentName ?? '未分配部门', n.data.position].filter(Boolean).join(' · ')}
                  </small>
                </div>
                <button
                  type="button"
                  className="plain"
                  aria-label={`移除${n.label}`}
                  onClick={() =>
                    setChosen(was => {
                      const next = new Map(was)
                      next.delete(n.key)
                      return next
                    })
                  }
                >
                  <CloseOutlined />
                </button>
              </li>
            ))}
            {!all.length && <li className="pick-quiet">还没有选择</li>}
          </ul>
          {note && all.length > 0 && <p className="staff-picker-note">{note(people)}</p>}
        </section>
      </div>
      <footer>
        <span aria-live="polite">
          已选 <b>{formatCount(all.length)}</b> 人
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

/**
 * 选择员工: the department tree with people as leaves at the left, who is chosen at the right (0§2, picture 11).
 */
export function StaffPicker({ title = '选择员工', value, why, onDone, ...rest }: StaffPickerProps) {
  const tree = useCall(getStaffTree, {}, { quiet: true, staleMs: 0 })
  const known = useMemo(
    () => (tree.data ? new Map(collectPeople(tree.data, why).map(n => [n.data.id, n])) : undefined),
    [tree.data, why],
  )
  const gone = known ? value.filter(id => !known.has(id)) : []
  const others = useCall(
    listStaff,
    { ids: gone.map(String), page: 1, size: Math.max(1, Math.min(2000, gone.length)) },
    { quiet: true, enabled: gone.length > 0 },
  )
  const source = useMemo(() => tree.data && createStaffSource(tree.data, why), [tree.data, why])
  const ready = known !== undefined && source !== undefined && (gone.length === 0 || !others.isPending)
  const begin = (): TreeNode<PickedStaff>[] =>
    value.flatMap(id => {
      const there = defined(known).get(id)
      const s = others.data?.rows.find(r => r.id === id)
      return there
        ? [{ ...there, disabledReason: undefined }]
        : s
          ? [
              toStaffNode(
                {
                  id,
                  name: s.name,
                  position: s.state === 'left' ? '已离职' : s.position,
                  departmentId: s.departmentId,
                  departmentName: s.departmentName,
                },
                [],
              ),
            ]
          : []
    })
  return (
    <Modal
      open
      width={800}
      footer={null}
      title={null}
      aria-label={title}
      keyboard={false}
      mask={{ closable: false }}
      onCancel={() => onDone(undefined)}
      destroyOnHidden
      className="staff-modal"
    >
      {tree.isError ? (
        <ErrorState error={tree.error} onRetry={() => void tree.refetch()} />
      ) : ready ? (
        <StaffChooser {...rest} title={title} source={source} begin={begin()} onDone={onDone} />
      ) : (
        <div style={{ position: 'relative', height: 420 }}>
          <RowSkeleton rows={9} width={[160, 80]} />
        </div>
      )}
    </Modal>
  )
}
