import { focusedElement } from '../focused-element.ts'
import { Button, Drawer } from 'antd'
import { ArrowLeftOutlined } from '@ant-design/icons'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import './pickers.css'

interface SlideInProps {
  readonly title: string
  /** Why it cannot be saved now. */
  readonly saveDisabledReason?: string | undefined
  readonly width?: number
  readonly footer?: ReactNode
  readonly children: ReactNode
  readonly onBack: () => void
  readonly onSave: () => void
}

/** Slides in from the right: 返回, the title, 保存 (0§2). Esc goes back, Ctrl Enter saves. */
export function SlideIn({
  title,
  saveDisabledReason,
  width = 520,
  footer: footerContent,
  children,
  onBack,
  onSave,
}: SlideInProps) {
  const body = useRef<HTMLDivElement>(null)
  const [opener] = useState(focusedElement)
  useEffect(
    () => () => {
      queueMicrotask(() => {
        if (opener?.isConnected) {
          opener.focus({ preventScroll: true })
        }
      })
    },
    [opener],
  )
  const onKey = (e: KeyboardEvent): void => {
    // Keys of a slide-in are its own: the form and the list under it get none of them.
    e.stopPropagation()
    if (e.nativeEvent.isComposing || e.defaultPrevented) return
    if (e.key === 'Escape') {
      e.preventDefault()
      onBack()
    }
    if (e.key === 'Enter' && (e.ctrlKey || e.metaKey) && !saveDisabledReason) {
      e.preventDefault()
      onSave()
    }
  }
  const focus = (open: boolean): void => {
    if (open) {
      body.current
        ?.querySelector<HTMLElement>('input:not(:disabled), [tabindex="0"]')
        ?.focus({ preventScroll: true })
    }
  }
  return (
    <Drawer
      open
      placement="right"
      title={null}
      closable={false}
      size={innerWidth < 760 ? '100%' : width}
      mask={{ closable: false }}
      keyboard={false}
      afterOpenChange={focus}
      aria-label={title}
      styles={{ body: { padding: 0 } }}
    >
      <div
        className="slide-in"
        ref={body}
        role="presentation"
        onKeyDown={onKey}
        onClick={e => e.stopPropagation()}
      >
        <header>
          <Button type="text" icon={<ArrowLeftOutlined />} onClick={onBack}>
            返回
          </Button>
          <h2>{title}</h2>
          <Button
            type="primary"
            disabled={saveDisabledReason !== undefined}
            title={saveDisabledReason}
            onClick={onSave}
          >
            保存
          </Button>
        </header>
        <div className="slide-in-body">{children}</div>
        {footerContent && <footer>{footerContent}</footer>}
      </div>
    </Drawer>
  )
}
