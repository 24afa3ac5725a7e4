import { CloseOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { saveFile } from '../file-store.ts'
import { formatFileSize, useStoredFiles } from '../use-stored-files.ts'
import type { Control, ControlProps } from './control-kinds.tsx'
import '../files.css'

const keysOfValue = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((key): key is string => typeof key === 'string') : []

/** Why a file is not taken; it is taken without a reason. */
const faultOf = (file: File, maxBytes: number): string | undefined => {
  if (!file.size) return `「${file.name}」是空文件，请重新选择`
  return file.size > maxBytes ? `「${file.name}」超过 ${formatFileSize(maxBytes)}，请压缩后再上传` : undefined
}

/** Files of any kind by their keys in a list: one after the other, up to a size each. */
function FileUpload(props: ControlProps & { readonly maxBytes: number }) {
  const { field, id, value, onChange, disabled, describedBy, maxBytes } = props
  const keys = keysOfValue(value)
  const files = useStoredFiles(keys)
  const [part, setPart] = useState<number>()
  const [error, setError] = useState<string>()
  const fileInput = useRef<HTMLInputElement>(null)
  const max = field.max ?? 1
  const upload = async (chosen: readonly File[]): Promise<void> => {
    if (fileInput.current) {
      fileInput.current.value = ''
    }
    setError(chosen.length > max - keys.length ? `最多 ${max} 个附件` : undefined)
    let nextKeys = keys
    for (const file of chosen.slice(0, max - keys.length)) {
      const fault = faultOf(file, maxBytes)
      if (fault !== undefined) {
        setError(fault)
        continue
      }
      try {
        nextKeys = [...nextKeys, await saveFile(file, setPart)]
        onChange(nextKeys)
      } catch (e) {
        setError(e instanceof Error && e.message ? e.message : '上传失败，请重试')
      }
    }
    setPart(undefined)
  }
  return (
    <div className="file-upload">
      {keys.length > 0 && (
        <ul className="stored-files">
          {keys.map((key, i) => {
            const file = files?.find(each => each.key === key)
            return (
              <li key={key}>
                <a href={file?.url} target="_blank" rel="noreferrer">
                  <span>{file?.name ?? `附件 ${i + 1}`}</span>
                  {file && <small>{formatFileSize(file.size)}</small>}
                </a>
                {!disabled && (
                  <Button
                    type="text"
                    aria-label={`移除${file?.name ?? `附件 ${i + 1}`}`}
                    icon={<CloseOutlined />}
                    onClick={() => onChange(keys.filter(each => each !== key))}
                  />
                )}
              </li>
            )
          })}
        </ul>
      )}
      {!disabled && keys.length < max && (
        <Button
          id={id}
          {...(describedBy ? { 'aria-describedby': describedBy } : {})}
          icon={<PlusOutlined />}
          disabled={part !== undefined}
          onClick={() => fileInput.current?.click()}
        >
          {part === undefined ? '添加附件' : `${Math.round(part * 100)}%`}
        </Button>
      )}
      <input
        ref={fileInput}
        type="file"
        hidden
        multiple={max > 1}
        onChange={e => void upload([...(e.target.files ?? [])])}
      />
      {error && (
        <p className="fault" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** Files of any kind by key in a `list`, for a form field's `control`. */
export const filesControl =
  (maxBytes: number): Control =>
  p => <FileUpload {...p} maxBytes={maxBytes} />
