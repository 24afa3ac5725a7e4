import { CloseOutlined, PlusOutlined } from '@ant-design/icons'
import { useRef, useState } from 'react'
import { saveFile, maxImageBytes } from '../file-store.ts'
import { StoredImages } from '../stored-images.tsx'
import type { ControlProps } from './control-kinds.tsx'

/** Pictures: chosen, dropped or pasted. One over 2048 KB is turned away and nothing further happens (0§5). */
export function ImageUpload({
  field,
  id,
  value,
  onChange,
  disabled,
  describedBy,
  most,
}: ControlProps & { readonly most: number }) {
  const keys = ([value].flat() as unknown[]).filter((k): k is string => typeof k === 'string' && k !== '')
  const [going, setGoing] = useState<{ readonly name: string; readonly part: number }>()
  const [wrong, setWrong] = useState<string>()
  const box = useRef<HTMLInputElement>(null)
  const put = (all: readonly string[]): void => onChange(field.kind === 'list' ? all : all[0])
  const take = async (files: FileList | null): Promise<void> => {
    const good = [...(files ?? [])]
      .filter(f => f.type.startsWith('image/') && f.size <= maxImageBytes)
      .slice(0, most - (field.kind === 'list' ? keys.length : 0))
    if (box.current) {
      box.current.value = ''
    }
    let all = field.kind === 'list' ? [...keys] : []
    setWrong(undefined)
    for (const f of good) {
      try {
        setGoing({ name: f.name, part: 0 })
        all = [...all, await saveFile(f, part => setGoing({ name: f.name, part }))]
        put(all)
      } catch (e) {
        setWrong(e instanceof Error && e.message ? e.message : '上传失败，请重试')
      }
    }
    setGoing(undefined)
  }
  return (
    <div
      className="pictures"
      onDragOver={e => e.preventDefault()}
      onDrop={e => {
        e.preventDefault()
        if (!disabled) {
          void take(e.dataTransfer.files)
        }
      }}
      onPaste={e => {
        if (!disabled && e.clipboardData.files.length) {
          void take(e.clipboardData.files)
        }
      }}
    >
      {keys.map((k, i) => (
        <span key={k} className="picture">
          <StoredImages fileKeys={[k]} size={72} />
          {!disabled && (
            <button
              type="button"
              aria-label={`移除第 ${i + 1} 张`}
              onClick={() => put(keys.filter(x => x !== k))}
            >
              <CloseOutlined />
            </button>
          )}
        </span>
      ))}
      {!disabled && keys.length < most && (
        <button
          type="button"
          id={id}
          className="picture-add"
          aria-describedby={describedBy}
          disabled={going !== undefined}
          onClick={() => box.current?.click()}
        >
          {going ? (
            `${Math.round(going.part * 100)}%`
          ) : (
            <>
              <PlusOutlined />
              <small>2 MB 以内</small>
            </>
          )}
        </button>
      )}
      <input
        ref={box}
        type="file"
        accept="image/*"
        hidden
        multiple={most > 1}
        onChange={e => void take(e.target.files)}
      />
      {wrong && (
        <p className="fault" role="alert">
          {wrong}
        </p>
      )}
    </div>
  )
}
