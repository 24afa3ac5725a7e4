import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { Icon } from './icons.tsx'
import { useShortcuts } from './shortcuts.ts'
import './images.css'

export interface ImageItem {
  readonly src: string
  readonly name?: string
}

interface ImagesProps {
  readonly images: readonly (string | ImageItem)[]
  /** What enlarges a picture: a click, or a double click where a click already means something else. */
  readonly openOn?: 'click' | 'double'
  /** Side of a thumbnail in px. */
  readonly size?: number
}

const toImageItem = (p: string | ImageItem): ImageItem => (typeof p === 'string' ? { src: p } : p)

/** Pictures as thumbnails; without any it says 无. One may be enlarged, walked with ← →, closed with Esc. */
export function Images({ images: of, openOn = 'click', size = 64 }: ImagesProps) {
  const [at, setAt] = useState<number>()
  const all = of.map(toImageItem)
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
          onClick={openOn === 'click' ? () => setAt(i) : undefined}
          onDoubleClick={openOn === 'double' ? () => setAt(i) : undefined}
          onKeyDown={
            openOn === 'double'
              ? e => {
                  if (e.key === 'Enter') {
                    setAt(i)
                  }
                }
              : undefined
          }
        >
          <Thumbnail picture={p} />
        </button>
      ))}
      {at !== undefined && <ImagePreview all={all} at={at} go={setAt} />}
    </div>
  )
}

function Thumbnail({ picture }: { readonly picture: ImageItem }) {
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

function ImagePreview({
  all,
  at,
  go,
}: {
  readonly all: readonly ImageItem[]
  readonly at: number
  readonly go: (n: number | undefined) => void
}) {
  const step = (n: number): void => go((at + n + all.length) % all.length)
  useShortcuts([
    { keys: 'Escape', label: '关闭图片', run: () => go(undefined), whileTyping: true },
    { keys: 'ArrowLeft', label: '上一张', run: () => step(-1), whileTyping: true },
    { keys: 'ArrowRight', label: '下一张', run: () => step(1), whileTyping: true },
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
        <Thumbnail picture={all[at]!} />
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
