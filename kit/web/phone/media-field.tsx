import { useRef } from 'react'
import { RequiredStar } from '../required-star.tsx'
import { FieldFault } from './phone-field.tsx'

export interface MediaItem {
  readonly key: string
  /** Empty while it is not known yet. */
  readonly url: string
}

interface MediaFieldProps {
  readonly label: string
  readonly kind: 'image' | 'video'
  readonly items: readonly MediaItem[]
  readonly max: number
  readonly isRequired?: boolean
  readonly hint?: string | undefined
  readonly fault?: string | undefined
  readonly isBusy?: boolean
  readonly onAdd: (files: readonly File[]) => void
  readonly onRemove: (key: string) => void
}

const words = { image: ['拍照', '相册', '图片'], video: ['拍摄', '选择视频', '视频'] } as const

/** Pictures or videos of a form on a phone: from the camera, or from what is there already. */
export function MediaField({
  label,
  kind,
  items,
  max,
  isRequired = false,
  hint,
  fault,
  isBusy,
  onAdd,
  onRemove,
}: MediaFieldProps) {
  const camera = useRef<HTMLInputElement>(null)
  const album = useRef<HTMLInputElement>(null)
  const [shoot, choose, noun] = words[kind]
  const room = max - items.length
  const add = (input: HTMLInputElement): void => {
    onAdd([...(input.files ?? [])].slice(0, room))
    input.value = ''
  }
  const inputProps = { type: 'file', accept: `${kind}/*`, hidden: true } as const
  return (
    <div className="field" role="group" aria-label={label}>
      <span className="label">
        {isRequired && <RequiredStar />}
        {label}
        {hint && <small>{hint}</small>}
      </span>
      <div className="media">
        {items.map((item, i) => (
          <figure key={item.key}>
            {kind === 'image' ? (
              <img src={item.url} alt={`${label} ${i + 1}`} />
            ) : (
              <video
                src={item.url}
                aria-label={`${label} ${i + 1}`}
                controls
                muted
                playsInline
                preload="metadata"
              />
            )}
            <button
              type="button"
              aria-label={`删除第 ${i + 1} ${kind === 'image' ? '张' : '段'}${noun}`}
              onClick={() => onRemove(item.key)}
            >
              ×
            </button>
          </figure>
        ))}
        {room > 0 && (
          <>
            <button type="button" className="big" disabled={isBusy} onClick={() => camera.current?.click()}>
              {isBusy ? '正在上传…' : shoot}
            </button>
            <button type="button" className="big" disabled={isBusy} onClick={() => album.current?.click()}>
              {choose}
            </button>
          </>
        )}
      </div>
      <FieldFault fault={fault} />
      <input
        {...inputProps}
        ref={camera}
        capture="environment"
        aria-label={`${label}：${shoot}`}
        onChange={event => add(event.target)}
      />
      <input
        {...inputProps}
        ref={album}
        multiple
        aria-label={`${label}：${choose}`}
        onChange={event => add(event.target)}
      />
    </div>
  )
}
