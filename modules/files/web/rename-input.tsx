import { Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { errorSentence } from '#kit/web/list/list-feedback.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { toast } from '#kit/web/toast.ts'
import { modifyFile, modifyFolder } from '../contract/node.ts'
import { maxNameLength } from '../contract/limits.ts'
import { nameFault, storedName } from '../domain/file-name.ts'
import type { FileNode } from './node.ts'

const rename = ({ type, id, version }: FileNode, name: string): Promise<unknown> =>
  type === 'folder'
    ? sendAndInvalidate(modifyFolder, { id, name, version }, { quiet: true })
    : sendAndInvalidate(modifyFile, { id, name, version }, { quiet: true })

/** Without its extension: what is typed over. */
const stemLength = ({ type, name }: FileNode): number => {
  const at = type === 'file' ? name.lastIndexOf('.') : -1
  return at > 0 ? at : name.length
}

/** The name in place: Enter or leaving saves, Esc does not. */
export function RenameInput({ node, onDone }: { readonly node: FileNode; readonly onDone: () => void }) {
  const [name, setName] = useState(node.name)
  const input = useRef<InputRef>(null)
  const isDone = useRef(false)
  useEffect(() => {
    input.current?.focus()
    input.current?.setSelectionRange(0, stemLength(node))
  }, [])
  const finish = (): void => {
    isDone.current = true
    onDone()
  }
  const save = async (): Promise<void> => {
    if (isDone.current) return
    if (storedName(name) === node.name) return finish()
    const fault = nameFault(name)
    if (fault) return toast.warning(fault)
    isDone.current = true
    try {
      await rename(node, storedName(name))
      onDone()
    } catch (error) {
      isDone.current = false
      toast.error(errorSentence(error))
      input.current?.focus()
    }
  }
  return (
    <Input
      ref={input}
      size="small"
      className="rename-input"
      aria-label={`重命名「${node.name}」`}
      maxLength={maxNameLength}
      value={name}
      onChange={event => setName(event.target.value)}
      onClick={event => event.stopPropagation()}
      onDoubleClick={event => event.stopPropagation()}
      onBlur={() => void save()}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') {
          void save()
        }
        if (event.key === 'Escape') {
          finish()
        }
      }}
    />
  )
}
