import { focusedElement } from './focused-element.ts'
import { defined } from '#kit/domain/defined.ts'
import { useEffect, useRef, useState } from 'react'
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
  /** What enlarges an image: a click, or a double click where a click already does something else. */
  readonly openOn?: 'click' | 'double'
  /** Side of a thumbnail in px. */
  readonly size?: number
}

const toImageItem = (item: string | ImageItem): ImageItem => (typeof item === 'string' ? { src: item } : item)

/** Images as thumbnails; without any it says 无. A large one is closed with Esc, ← → show the next. */
export function Images({ images: sources, openOn = 'click', size = 64 }: ImagesProps) {
  const [openIndex, setOpenIndex] = useState<number>()
  const items = sources.map(toImageItem)
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
          onClick={openOn === 'click' ? () => setOpenIndex(i) : undefined}
          onDoubleClick={openOn === 'double' ? () => setOpenIndex(i) : undefined}
          onKeyDown={
            openOn === 'double'
              ? e => {
                  if (e.key === 'Enter') {
                    setOpenIndex(i)
                  }
                }
              : undefined
          }
        >
          <Thumbnail picture={item} />
        </button>
      ))}
      {openIndex !== undefined && <ImagePreview items={items} index={openIndex} onShow={setOpenIndex} />}
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
  items,
  index,
  onShow,
}: {
  readonly items: readonly ImageItem[]
  readonly index: number
  readonly onShow: (n: number | undefined) => void
}) {
  const step = (n: number): void => onShow((index + n + items.length) % items.length)
  const overlay = useRef<HTMLDivElement>(null)
  useShortcuts(
    [
      { keys: 'Escape', label: '关闭图片', run: () => onShow(undefined), whileTyping: true },
      { keys: 'ArrowLeft', label: '上一张', run: () => step(-1), whileTyping: true },
      { keys: 'ArrowRight', label: '下一张', run: () => step(1), whileTyping: true },
    ],
    overlay,
  )
  useEffect(() => {
    const previousFocus = focusedElement()
    return () => previousFocus?.focus()
  }, [])
  return createPortal(
    <div
      ref={overlay}
      className="image-large"
      role="dialog"
      aria-modal="true"
      aria-label="查看图片"
      data-covering
      onClick={() => onShow(undefined)}
    >
      <div className="image-stage" onClick={e => e.stopPropagation()}>
        <Thumbnail picture={defined(items[index])} />
      </div>
      <button
        type="button"
        autoFocus
        className="image-close"
        aria-label="关闭"
        onClick={() => onShow(undefined)}
      >
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
            {index + 1} / {items.length}
          </span>
        </>
      )}
    </div>,
    document.body,
  )
}
