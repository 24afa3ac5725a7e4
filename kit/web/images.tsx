import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { Icon } from './icons.tsx'
import { useKeys } from './keys.ts'
import './images.css'

export interface Picture {
  readonly src: string
  readonly name?: string
}

interface Props {
  readonly of: readonly (string | Picture)[]
  /** What enlarges a picture: a click, or a double click where a click already means something else. */
  readonly on?: 'click' | 'double'
  /** Side of a thumbnail in px. */
  readonly size?: number
}

const asPicture = (p: string | Picture): Picture => (typeof p === 'string' ? { src: p } : p)

/** Pictures as thumbnails; without any it says 无. One may be enlarged, walked with ← →, closed with Esc. */
export function Images({ of, on = 'click', size = 64 }: Props) {
  const [at, setAt] = useState<number>()
  const all = of.map(asPicture)
  if (!all.length) return <span className="absent">无</span>
  return (
    <div className="images">
      {all.map((p, i) => (
        <button
          type="button"
          key={`${p.src}${i}`}
          className="image-thumb"
          style={{ width: size, height: size }}
          aria-label={`放大${p.name ?? `第 ${i + 1} 张图片`}`}
          onClick={on === 'click' ? () => setAt(i) : undefined}
          onDoubleClick={on === 'double' ? () => setAt(i) : undefined}
          onKeyDown={
            on === 'double'
              ? e => {
                  if (e.key === 'Enter') {
                    setAt(i)
                  }
                }
              : undefined
          }
        >
          <Framed picture={p} />
        </button>
      ))}
      {at !== undefined && <Enlarged all={all} at={at} go={setAt} />}
    </div>
  )
}

function Framed({ picture }: { readonly picture: Picture }) {
  const [broken, setBroken] = useState(false)
  return broken ? (
    <span className="image-broken">
      <Icon name="image" />
      无法显示
    </span>
  ) : (
    <img src={picture.src} alt={picture.name ?? ''} loading="lazy" onError={() => setBroken(true)} />
  )
}

function Enlarged({
  all,
  at,
  go,
}: {
  readonly all: readonly Picture[]
  readonly at: number
  readonly go: (n: number | undefined) => void
}) {
  const step = (n: number): void => go((at + n + all.length) % all.length)
  useKeys([
    { keys: 'Escape', label: '关闭图片', run: () => go(undefined), typing: true },
    { keys: 'ArrowLeft', label: '上一张', run: () => step(-1), typing: true },
    { keys: 'ArrowRight', label: '下一张', run: () => step(1), typing: true },
  ])
  useEffect(() => {
    const was = document.activeElement as HTMLElement | null
    return () => was?.focus()
  }, [])
  return createPortal(
    <div
      className="image-large"
      role="dialog"
      aria-modal="true"
      aria-label="查看图片"
      data-covering
      onClick={() => go(undefined)}
    >
      <div className="image-stage" onClick={e => e.stopPropagation()}>
        <Framed picture={all[at]!} />
      </div>
      <button type="button" autoFocus className="image-close" aria-label="关闭" onClick={() => go(undefined)}>
        <Icon name="close" size={22} />
      </button>
      {all.length > 1 && (
        <>
          <button
            type="button"
            className="image-step back"
            aria-label="上一张"
            onClick={e => {
              e.stopPropagation()
              step(-1)
            }}
          >
            <Icon name="left" size={28} />
          </button>
          <button
            type="button"
            className="image-step on"
            aria-label="下一张"
            onClick={e => {
              e.stopPropagation()
              step(1)
            }}
          >
            <Icon name="right" size={28} />
          </button>
          <span className="image-count figure">
            {at + 1} / {all.length}
          </span>
        </>
      )}
    </div>,
    document.body,
  )
}
