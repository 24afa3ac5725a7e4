import type { Id } from '#kit/domain/id.ts'
import { useCall } from '#kit/web/query.ts'
import { getStandardTree } from '../contract/standard.ts'
import './standards.css'

type Node = NonNullable<typeof getStandardTree.output.T>[number]

interface StandardTreeProps {
  readonly chosen: Id | undefined
  readonly onChoose: (id: Id | undefined) => void
}

function Branch({ node, chosen, onChoose }: StandardTreeProps & { readonly node: Node }) {
  const children = node.children ?? []
  return (
    <li>
      <button
        type="button"
        aria-current={node.id === chosen}
        title={node.standardName}
        onClick={() => onChoose(node.id)}
      >
        <span>{node.standardName}</span>
        {node.itemCount > 0 && <small>{node.itemCount} 项</small>}
      </button>
      {children.length > 0 && (
        <ul>
          {children.map(child => (
            <Branch key={child.id} node={child} chosen={chosen} onChoose={onChoose} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** The standards in use as they are under each other; one of them shows itself and all below it. */
export function StandardTree({ chosen, onChoose }: StandardTreeProps) {
  const nodes = useCall(getStandardTree, {}, { quiet: true, project: 0 }).data ?? []
  return (
    <nav className="standard-tree" aria-label="任务标准">
      <ul>
        <li>
          <button type="button" aria-current={chosen === undefined} onClick={() => onChoose(undefined)}>
            <span>全部标准</span>
          </button>
        </li>
        {nodes.map(node => (
          <Branch key={node.id} node={node} chosen={chosen} onChoose={onChoose} />
        ))}
      </ul>
    </nav>
  )
}
