import { Input, Tag } from 'antd'
import { useReducer, useState } from 'react'
import { confirm } from '#kit/web/confirm.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { toast } from '#kit/web/toast.ts'
import { maxLabelLength, maxLabels } from '../contract/limits.ts'
import { saveLabels } from '../contract/node.ts'
import { cleanLabels, labelFault } from '../domain/labels.ts'
import type { FileNode } from './node.ts'

const save = ({ id, type, version }: FileNode, labels: readonly string[]): Promise<FileNode> =>
  sendAndInvalidate(saveLabels, { id, type, fileLabel: [...labels], version })

async function remove(node: FileNode, label: string): Promise<FileNode | undefined> {
  const isSure = await confirm({
    title: '删除标签',
    text: `确定删除标签「${label}」吗？`,
    okLabel: '删除标签',
  })
  if (!isSure) {
    toast.info('已取消删除')
    return undefined
  }
  return save(
    node,
    (node.fileLabel ?? []).filter(each => each !== label),
  )
}

/** What was typed and not saved, by file or folder: it is there again when that is shown again. */
const drafts = new Map<string, string>()

function useLabelDraft({ type, id }: FileNode): [text: string, setText: (text: string) => void] {
  const key = `${type}/${id}`
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  return [
    drafts.get(key) ?? '',
    text => {
      drafts.set(key, text)
      redraw()
    },
  ]
}

/** FILE-7: saved by Enter; one that is there already changes nothing; a click finds what bears it. */
export function LabelEditor({
  node: shown,
  canEdit,
  onLabel,
}: {
  readonly node: FileNode
  readonly canEdit: boolean
  readonly onLabel: (label: string) => void
}) {
  const [text, setText] = useLabelDraft(shown)
  // What was just saved, until the screen shows it: a second label follows at once.
  const [saved, setSaved] = useState<FileNode>()
  const isNewer = saved?.id === shown.id && saved.type === shown.type && saved.version > shown.version
  const node = isNewer ? saved : shown
  const labels = node.fileLabel ?? []
  const add = async (): Promise<void> => {
    const next = cleanLabels([...labels, text])
    const fault = labelFault(next)
    if (fault) return toast.warning(fault)
    if (next.length > labels.length) {
      setSaved(await save(node, next))
    }
    setText('')
  }
  return (
    <section className="file-section">
      <h3>
        标签
        <small>
          {labels.length}/{maxLabels}
          {canEdit && '，回车保存'}
        </small>
      </h3>
      <div className="file-labels">
        {labels.map(label => (
          <Tag
            key={label}
            closable={canEdit && { 'aria-label': `删除标签「${label}」` }}
            onClose={event => {
              event.preventDefault()
              void remove(node, label).then(setSaved, () => {})
            }}
          >
            <button type="button" className="plain-label" onClick={() => onLabel(label)}>
              {label}
            </button>
          </Tag>
        ))}
        {canEdit && labels.length < maxLabels && (
          <Input
            size="small"
            aria-label="添加标签"
            placeholder="添加标签"
            maxLength={maxLabelLength}
            value={text}
            onChange={event => setText(event.target.value)}
            onKeyDown={event => {
              if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
                void add().catch(() => {})
              }
            }}
          />
        )}
        {!canEdit && !labels.length && <span className="absent">--</span>}
      </div>
    </section>
  )
}
