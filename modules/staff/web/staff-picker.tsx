import { Button, Input, Modal } from 'antd'
import { CloseOutlined, SearchOutlined } from '@ant-design/icons'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { clearable } from '#kit/web/clearable.tsx'
import { count } from '#kit/web/figure.tsx'
import { Skeleton, Trouble, wordsOf } from '#kit/web/list/states.tsx'
import {
  countsOf,
  toggleAll,
  toggleLeaf,
  type Chosen,
  type Node,
  type Outcome,
} from '#kit/web/pickers/choosing.ts'
import { Leaf, TreeView } from '#kit/web/pickers/tree-view.tsx'
import { useTree, type TreeSource } from '#kit/web/pickers/use-tree.ts'
import { useCall } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { staffTree } from '../contract/department.ts'
import { listStaff } from '../contract/staff.ts'
import { Face } from './face.tsx'
import { leafOf, peopleOf, sourceOf, type Forbids, type PickedStaff } from './picker-nodes.tsx'
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
  readonly why?: Forbids
  /** Under those who are chosen: what the choice leads to. */
  readonly note?: (chosen: readonly PickedStaff[]) => ReactNode
  /** Nothing: left without choosing. */
  readonly onDone: (chosen: readonly PickedStaff[] | undefined) => void
}

const placeholder = '姓名、部门、岗位、手机，支持拼音首字母'

const words = (e: unknown): string => {
  const w = wordsOf(e)
  return [w.words, w.more].filter(Boolean).join('，')
}

type Inner = Omit<StaffPickerProps, 'value'> & {
  readonly source: TreeSource<PickedStaff>
  readonly begin: readonly Node<PickedStaff>[]
}

function Choosing({
  title,
  many = false,
  max,
  note,
  source,
  begin,
  onDone,
}: Inner & { readonly title: string }) {
  const tree = useTree(source, begin[0]?.path ?? [])
  const [chosen, setChosen] = useState<Chosen<PickedStaff>>(() => new Map(begin.map(n => [n.key, n])))
  const counts = useMemo(() => countsOf(chosen), [chosen])
  const [word, setWord] = useState('')
  const [composing, setComposing] = useState(false)
  const [found, setFound] = useState<{
    readonly word: string
    readonly nodes?: readonly Node<PickedStaff>[]
    readonly error?: unknown
  }>()
  const turn = useRef(0)
  const all = [...chosen.values()]
  const people = all.map(n => n.data)
  const put = ({ chosen: next, cut }: Outcome<PickedStaff>): void => {
    setChosen(next)
    if (cut) {
      toast.warning(`最多选择${max}人`)
    }
  }
  const onLeaf = (leaf: Node<PickedStaff>): void => put(toggleLeaf(chosen, leaf, { many, max }))
  const onTake = (leaf: Node<PickedStaff>): void => {
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
      source.find!(w).then(
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
            allowClear={clearable}
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
                {words(found.error)}
              </p>
            ) : found?.nodes ? (
              found.nodes.length ? (
                <div className="pick-found" role="group" aria-label="查找结果">
                  {found.nodes.map(n => (
                    <Leaf
                      key={n.key}
                      leaf={n}
                      on={chosen.has(n.key)}
                      many={many}
                      cell={false}
                      onLeaf={onLeaf}
                      onTake={onTake}
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
                many={many}
                layout="rows"
                busy={new Set()}
                empty="还没有部门和员工"
                words={words}
                onLeaf={onLeaf}
                onBranch={b => void tree.allUnder(b).then(leaves => put(toggleAll(chosen, leaves, max)))}
                onTake={onTake}
              />
            )}
          </div>
        </section>
        <section className="staff-chosen" aria-label="已选的人">
          <header>
            <b>已选 {count(all.length)} 人</b>
            {all.length > 0 && (
              <button type="button" className="linkish" onClick={() => setChosen(new Map())}>
                清空
              </button>
            )}
          </header>
          <ul className="scroll">
            {all.map(n => (
              <li key={n.key}>
                <Face name={n.label} size={30} />
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
          已选 <b>{count(all.length)}</b> 人{many ? max !== undefined && `，最多 ${max} 人` : '，只能选一人'}
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
  const tree = useCall(staffTree, {}, { quiet: true, fresh: 0 })
  const known = useMemo(
    () => (tree.data ? new Map(peopleOf(tree.data, why).map(n => [n.data.id, n])) : undefined),
    [tree.data, why],
  )
  const gone = known ? value.filter(id => !known.has(id)) : []
  const others = useCall(
    listStaff,
    { ids: gone.map(String), page: 1, size: Math.max(1, Math.min(2000, gone.length)) },
    { quiet: true, enabled: gone.length > 0 },
  )
  const source = useMemo(() => tree.data && sourceOf(tree.data, why), [tree.data, why])
  const ready = known !== undefined && source !== undefined && (gone.length === 0 || !others.isPending)
  const begin = (): Node<PickedStaff>[] =>
    value.flatMap(id => {
      const there = known!.get(id)
      const s = others.data?.rows.find(r => r.id === id)
      return there
        ? [{ ...there, off: undefined }]
        : s
          ? [
              leafOf(
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
        <Trouble error={tree.error} retry={() => void tree.refetch()} />
      ) : ready ? (
        <Choosing {...rest} title={title} source={source} begin={begin()} onDone={onDone} />
      ) : (
        <div style={{ position: 'relative', height: 420 }}>
          <Skeleton rows={9} width={[160, 80]} />
        </div>
      )}
    </Modal>
  )
}
