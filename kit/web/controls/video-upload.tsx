import { CloseOutlined, PlusOutlined } from '@ant-design/icons'
import { useRef, useState } from 'react'
import { saveFile } from '../file-store.ts'
import { StoredVideos } from '../stored-videos.tsx'
import type { Control, ControlProps } from './control-kinds.tsx'

interface VideoUploadProps extends ControlProps {
  readonly maxBytes: number
}

const toMegabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024)

/** Videos by file key in a list: one at a time, up to a size. */
function VideoUpload({ field, id, value, onChange, disabled, describedBy, maxBytes }: VideoUploadProps) {
  const keys = ([value].flat() as unknown[]).filter((k): k is string => typeof k === 'string' && k !== '')
  const [part, setPart] = useState<number>()
  const [error, setError] = useState<string>()
  const fileInput = useRef<HTMLInputElement>(null)
  const upload = async (file: File | undefined): Promise<void> => {
    if (fileInput.current) {
      fileInput.current.value = ''
    }
    setError(undefined)
    if (!file) return
    if (!file.type.startsWith('video/')) {
      setError('只能上传视频，请重新选择')
      return
    }
    if (file.size > maxBytes) {
      setError(`视频不能超过 ${toMegabytes(maxBytes)} MB，请剪短后再上传`)
      return
    }
    try {
      setPart(0)
      onChange([...keys, await saveFile(file, setPart)])
    } catch (e) {
      setError(e instanceof Error && e.message ? e.message : '上传失败，请重试')
    }
    setPart(undefined)
  }
  return (
    <div className="pictures videos">
      {keys.map((fileKey, i) => (
        <span key={fileKey} className="picture">
          <StoredVideos fileKeys={[fileKey]} />
          {!disabled && (
            <button
              type="button"
              aria-label={`移除第 ${i + 1} 段`}
              onClick={() => onChange(keys.filter(x => x !== fileKey))}
            >
              <CloseOutlined />
            </button>
          )}
        </span>
      ))}
      {!disabled && keys.length < (field.max ?? 1) && (
        <button
          type="button"
          id={id}
          className="picture-add"
          aria-describedby={describedBy}
          disabled={part !== undefined}
          onClick={() => fileInput.current?.click()}
        >
          {part === undefined ? (
            <>
              <PlusOutlined />
              <small>{toMegabytes(maxBytes)} MB 以内</small>
            </>
          ) : (
            `${Math.round(part * 100)}%`
          )}
        </button>
      )}
      <input
        ref={fileInput}
        type="file"
        accept="video/*"
        hidden
        onChange={e => void upload(e.target.files?.[0])}
      />
      {error && (
        <p className="fault" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** Videos by file key in a `list`, for a form field's `control`. */
export const videosControl =
  (maxBytes: number): Control =>
  p => <VideoUpload {...p} maxBytes={maxBytes} />
