import { CloseOutlined, PlusOutlined } from '@ant-design/icons'
import { useRef, useState } from 'react'
import { saveFile, maxImageBytes } from '../file-store.ts'
import { StoredImages } from '../stored-images.tsx'
import type { ControlProps } from './control-kinds.tsx'

/** Images: chosen, dropped or pasted. One above 2048 KB is ignored without a message (0§5). */
export function ImageUpload({
  field,
  id,
  value,
  onChange,
  disabled,
  describedBy,
  maxCount,
}: ControlProps & { readonly maxCount: number }) {
  const keys = ([value].flat() as unknown[]).filter((k): k is string => typeof k === 'string' && k !== '')
  const [uploading, setUploading] = useState<{ readonly name: string; readonly part: number }>()
  const [error, setError] = useState<string>()
  const fileInput = useRef<HTMLInputElement>(null)
  const setKeys = (nextKeys: readonly string[]): void =>
    onChange(field.kind === 'list' ? nextKeys : nextKeys[0])
  const uploadFiles = async (files: FileList | null): Promise<void> => {
    const accepted = [...(files ?? [])]
      .filter(f => f.type.startsWith('image/') && f.size <= maxImageBytes)
      .slice(0, maxCount - (field.kind === 'list' ? keys.length : 0))
    if (fileInput.current) {
      fileInput.current.value = ''
    }
    let nextKeys = field.kind === 'list' ? [...keys] : []
    setError(undefined)
    for (const file of accepted) {
      try {
        setUploading({ name: file.name, part: 0 })
        nextKeys = [
          ...nextKeys,
          await saveFile(file, progress => setUploading({ name: file.name, part: progress })),
        ]
        setKeys(nextKeys)
      } catch (e) {
        setError(e instanceof Error && e.message ? e.message : '上传失败，请重试')
      }
    }
    setUploading(undefined)
  }
  return (
    <div
      className="pictures"
      onDragOver={e => e.preventDefault()}
      onDrop={e => {
        e.preventDefault()
        if (!disabled) {
          void uploadFiles(e.dataTransfer.files)
        }
      }}
      onPaste={e => {
        if (!disabled && e.clipboardData.files.length) {
          void uploadFiles(e.clipboardData.files)
        }
      }}
    >
      {keys.map((fileKey, i) => (
        <span key={fileKey} className="picture">
          <StoredImages fileKeys={[fileKey]} size={72} />
          {!disabled && (
            <button
              type="button"
              aria-label={`移除第 ${i + 1} 张`}
              onClick={() => setKeys(keys.filter(x => x !== fileKey))}
            >
              <CloseOutlined />
            </button>
          )}
        </span>
      ))}
      {!disabled && keys.length < maxCount && (
        <button
          type="button"
          id={id}
          className="picture-add"
          aria-describedby={describedBy}
          disabled={uploading !== undefined}
          onClick={() => fileInput.current?.click()}
        >
          {uploading ? (
            `${Math.round(uploading.part * 100)}%`
          ) : (
            <>
              <PlusOutlined />
              <small>2 MB 以内</small>
            </>
          )}
        </button>
      )}
      <input
        ref={fileInput}
        type="file"
        accept="image/*"
        hidden
        multiple={maxCount > 1}
        onChange={e => void uploadFiles(e.target.files)}
      />
      {error && (
        <p className="fault" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
