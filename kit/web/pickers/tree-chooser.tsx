import { CloseOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { useCallback, type KeyboardEvent, type ReactNode } from 'react'
import { errorSentence, ErrorState, RowSkeleton } from '../list/list-feedback.tsx'
import { formatCount } from '../numbers.tsx'
import { SearchInput } from '../search-input.tsx'
import type { TreeNode } from './tree-selection.ts'
import { useTreeChoice } from './use-tree-choice.tsx'
import type { TreeSource } from './use-tree.ts'
import type { TreeSearch } from './use-tree-search.ts'
import './tree-chooser.css'

export interface ChooserOptions<D> {
  /** Of one only, the second takes the place of the first (0§4). */
  readonly many?: boolean
  /** The most that may be chosen of several; what goes beyond is cut (0§4). */
  readonly max?: number | undefined
  /** Under those that are chosen: what the choice leads to. */
  readonly note?: (chosen: readonly D[]) => ReactNode
  /** Nothing: closed without choosing. */
  readonly onDone: (chosen: readonly D[] | undefined) => void
}

interface TreeChooserProps<D> extends ChooserOptions<D> {
  /** What is counted: 人. */
  readonly unit: string
  readonly title: string
  readonly placeholder: string
  readonly emptyText: string
  readonly source: TreeSource<D>
  readonly value: readonly TreeNode<D>[]
  /** A chosen leaf in the list at the right. */
  readonly drawChosen: (node: TreeNode<D>) => ReactNode
}

interface SearchBoxProps {
  readonly search: TreeSearch<unknown>
  readonly placeholder: string
}

const SearchBox = ({ search, placeholder }: SearchBoxProps) => (
  <SearchInput
    aria-label={placeholder}
    placeholder={placeholder}
    maxLength={40}
    autoFocus
    value={search.text}
    onChange={e => search.setText(e.target.value)}
    onCompositionStart={() => search.setComposing(true)}
    onCompositionEnd={() => search.setComposing(false)}
  />
)

interface ChosenListProps<D> extends Pick<TreeChooserProps<D>, 'unit' | 'drawChosen'> {
  readonly nodes: readonly TreeNode<D>[]
  readonly note: ReactNode
  readonly onRemove: (node: TreeNode<D>) => void
  readonly onClear: () => void
}

/** What is chosen, each to be taken out again. */
const ChosenList = <D,>({ nodes, unit, note, drawChosen, onRemove, onClear }: ChosenListProps<D>) => (
  <section className="tree-chosen" aria-label={`已选的${unit}`}>
    <header>
      <b>
        已选 {formatCount(nodes.length)} {unit}
      </b>
      {nodes.length > 0 && (
        <button type="button" className="linkish" onClick={onClear}>
          清空
        </button>
      )}
    </header>
    <ul className="scroll">
      {nodes.map(node => (
        <li key={node.key}>
          {drawChosen(node)}
          <button
            type="button"
            className="plain"
            aria-label={`移除${node.label}`}
            onClick={() => onRemove(node)}
          >
            <CloseOutlined />
          </button>
        </li>
      ))}
      {!nodes.length && <li className="pick-quiet">尚未选择</li>}
    </ul>
    {note && <p className="tree-chooser-note">{note}</p>}
  </section>
)

function TreeChooser<D>(props: TreeChooserProps<D>) {
  const { source, value, unit, many = false, max, note, onDone } = props
  const { choice, search, drawTree } = useTreeChoice({
    source,
    value,
    multiple: many,
    max,
    unit,
    layout: 'rows',
    isWide: false,
    emptyText: props.emptyText,
    notFoundText: undefined,
    errorText: errorSentence,
    onConfirm: useCallback((leaf: TreeNode<D>) => onDone([leaf.data]), [onDone]),
  })
  const nodes = [...choice.chosen.values()]
  const data = nodes.map(n => n.data)
  return (
    <div
      className="tree-chooser"
      role="presentation"
      onKeyDown={e =>
        handleKey(
          e,
          () => onDone(undefined),
          () => onDone(data),
        )
      }
      onClick={e => e.stopPropagation()}
    >
      <div className="tree-chooser-body">
        <section aria-label={`可选的${unit}`}>
          <SearchBox search={search} placeholder={props.placeholder} />
          <div className="scroll">{drawTree()}</div>
        </section>
        <ChosenList
          nodes={nodes}
          unit={unit}
          note={nodes.length > 0 && note?.(data)}
          drawChosen={props.drawChosen}
          onRemove={choice.remove}
          onClear={choice.clear}
        />
      </div>
      <footer>
        <span aria-live="polite">
          已选 <b>{formatCount(nodes.length)}</b> {unit}
          {many ? max !== undefined && `，最多 ${max} ${unit}` : `，只能选一${unit}`}
        </span>
        <Button onClick={() => onDone(undefined)}>取消</Button>
        <Button type="primary" onClick={() => onDone(data)}>
          确定
        </Button>
      </footer>
    </div>
  )
}

/** Keys of the chooser are its own: the form under it hears none of them. */
function handleKey(e: KeyboardEvent, cancel: () => void, confirm: () => void): void {
  e.stopPropagation()
  if (e.nativeEvent.isComposing || e.defaultPrevented) return
  if (e.key === 'Escape') {
    e.preventDefault()
    cancel()
  }
  if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) {
    e.preventDefault()
    confirm()
  }
}

interface TreeChooserDialogProps<D> extends Omit<TreeChooserProps<D>, 'source' | 'value'> {
  /** Undefined until they are loaded. */
  readonly source: TreeSource<D> | undefined
  readonly value: readonly TreeNode<D>[] | undefined
  readonly failure: { readonly error: unknown; readonly retry: () => void } | undefined
}

/** Chooses leaves of a tree in a dialog: the tree at the left, what is chosen of it at the right (0§2). */
export const TreeChooserDialog = <D,>({ source, value, failure, ...props }: TreeChooserDialogProps<D>) => (
  <Modal
    open
    width={800}
    footer={null}
    title={props.title}
    keyboard={false}
    mask={{ closable: false }}
    onCancel={() => props.onDone(undefined)}
    destroyOnHidden
    className="tree-chooser-dialog"
  >
    {failure ? (
      <ErrorState error={failure.error} onRetry={failure.retry} />
    ) : source && value ? (
      <TreeChooser {...props} source={source} value={value} />
    ) : (
      <div style={{ position: 'relative', height: 420 }}>
        <RowSkeleton rows={9} width={[160, 80]} />
      </div>
    )}
  </Modal>
)
