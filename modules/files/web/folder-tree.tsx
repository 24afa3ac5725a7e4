import { CaretRightFilled, FolderOutlined, FolderOpenOutlined } from '@ant-design/icons'
import { useState, type KeyboardEvent } from 'react'
import { parseId, type Id } from '#kit/domain/id.ts'
import { cssVariables } from '#kit/web/css-variables.ts'
import type { FolderTreeNode } from '../contract/node.ts'
import { closestElement } from './closest-element.ts'
import { pathTo, rootName } from './folder-path.ts'

interface FolderTreeProps {
  readonly tree: readonly FolderTreeNode[]
  /** None: nothing is chosen yet. */
  readonly current: Id | undefined
  readonly label: string
  readonly onSelect: (id: Id) => void
}

/** Of one folder, as many as are drawn; the rest is found in the list. */
const maxShown = 200

interface Expansion {
  readonly isOpen: (id: Id) => boolean
  readonly setOpen: (id: Id, isOpen: boolean) => void
}

/** What the person opened and closed; else the way to the current folder is open. */
function useExpansion(tree: readonly FolderTreeNode[], current: Id | undefined): Expansion {
  const [chosen, setChosen] = useState<ReadonlyMap<Id, boolean>>(new Map())
  const onPath = new Set(pathTo(tree, current ?? 0).map(folder => folder.id))
  return {
    isOpen: id => chosen.get(id) ?? (id === 0 || onPath.has(id)),
    setOpen: (id, isOpen) => setChosen(before => new Map(before).set(id, isOpen)),
  }
}

interface BranchProps extends FolderTreeProps {
  readonly folder: Pick<FolderTreeNode, 'id' | 'name' | 'children'>
  readonly level: number
  readonly expansion: Expansion
}

function Branch({ folder, level, expansion, ...tree }: BranchProps) {
  const children = folder.children ?? []
  const isOpen = expansion.isOpen(folder.id)
  const isCurrent = folder.id === tree.current
  return (
    <>
      <div
        role="treeitem"
        className="folder-line"
        style={cssVariables({ '--level': String(level - 1) })}
        aria-level={level}
        aria-selected={isCurrent}
        aria-expanded={children.length ? isOpen : undefined}
        tabIndex={isCurrent || (tree.current === undefined && folder.id === 0) ? 0 : -1}
        data-folder={folder.id}
      >
        <span className="folder-caret" data-open={isOpen}>
          {children.length > 0 && <CaretRightFilled rotate={isOpen ? 90 : 0} aria-hidden="true" />}
        </span>
        <span className="folder-name">
          {isCurrent ? <FolderOpenOutlined aria-hidden="true" /> : <FolderOutlined aria-hidden="true" />}
          <span className="ellipsis" title={folder.name}>
            {folder.name}
          </span>
        </span>
      </div>
      {isOpen && children.length > 0 && (
        <div role="group">
          {children.slice(0, maxShown).map(child => (
            <Branch key={child.id} {...tree} folder={child} level={level + 1} expansion={expansion} />
          ))}
          {children.length > maxShown && (
            <p className="folder-rest">另有 {children.length - maxShown} 个文件夹，请在列表中查找</p>
          )}
        </div>
      )}
    </>
  )
}

/** Arrow keys walk over what is shown, right opens, left closes, Enter goes there. */
function moveInFolders(
  event: KeyboardEvent<HTMLElement>,
  expansion: Expansion,
  onSelect: (id: Id) => void,
): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')]
  const here = all.findIndex(item => item === event.target)
  const folder = all[here]
  if (!folder) return
  const id = parseId(folder.dataset.folder)
  const actions: Readonly<Record<string, () => void>> = {
    ArrowDown: () => all[here + 1]?.focus(),
    ArrowUp: () => all[here - 1]?.focus(),
    ArrowRight: () => expansion.setOpen(id, true),
    ArrowLeft: () => expansion.setOpen(id, false),
    Enter: () => onSelect(id),
    ' ': () => onSelect(id),
  }
  const action = actions[event.key]
  if (!action) return
  event.preventDefault()
  event.stopPropagation()
  action()
}

/** All folders of the project as a tree, with the project's root above them. */
export function FolderTree(props: FolderTreeProps) {
  const expansion = useExpansion(props.tree, props.current)
  return (
    <div
      role="tree"
      className="folder-tree"
      aria-label={props.label}
      tabIndex={-1}
      onKeyDown={event => moveInFolders(event, expansion, props.onSelect)}
      onClick={event => {
        const line = closestElement(event.target, '[data-folder]')
        if (!line) return
        const id = parseId(line.dataset.folder)
        const caret = closestElement(event.target, '.folder-caret')
        if (caret) {
          expansion.setOpen(id, caret.dataset.open !== 'true')
        } else {
          props.onSelect(id)
        }
      }}
    >
      <Branch
        {...props}
        folder={{ id: 0, name: rootName, children: props.tree }}
        level={1}
        expansion={expansion}
      />
    </div>
  )
}
