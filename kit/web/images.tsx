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

const toImageItem = (item: string | ImageItem): ImageItem => (typeof item === 'string' ? { src: item } : item)

/** Pictures as thumbnails; without any it says 无. One may be enlarged, walked with ← →, closed with Esc. */
export function Images({ images: of, openOn = 'click', size = 64 }: ImagesProps) {
  const [at, setAt] = useState<number>()
  const items = of.map(toImageItem)
  if (!items.length) return <span className="absent">无</span>
  return (
    <div className="images">
      {items.map((item, i) => (
        <button
          type="button"
          key={`${item.src}${i}`}
          className="image-thumb"
          style={{ width: size, height: size }}
          aria-label={`放大${item.name ?? `第 ${i + 1} 张图片`}`}
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
          <Thumbnail picture={item} />
        </button>
      ))}
      {at !== undefined && <ImagePreview all={items} at={at} go={setAt} />}
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
  all: items,
  at,
  go,
}: {
  readonly all: readonly ImageItem[]
  readonly at: number
  readonly go: (n: number | undefined) => void
}) {
  const step = (n: number): void => go((at + n + items.length) % items.length)
  useShortcuts([
    { keys: 'Escape', label: '关闭图片', run: () => go(undefined), whileTyping: true },
    { keys: 'ArrowLeft', label: '上一张', run: () => step(-1), whileTyping: true },
    { keys: 'ArrowRight', label: '下一张', run: () => step(1), whileTyping: true },
  ])
  useEffect(() => {
    const previousFocus = document.activeElement as HTMLElement | null
    return () => previousFocus?.focus()
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
        <Thumbnail picture={items[at]!} />
      </div>
      <button type="button" autoFocus className="image-close" aria-label="关闭" onClick={() => go(undefined)}>
        <Icon name="close" size={22} />
      </button>
      {items.length > 1 && (
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
            {at + 1} / {items.length}
          </span>
        </>
      )}
    </div>,
    document.body,
  )
}
