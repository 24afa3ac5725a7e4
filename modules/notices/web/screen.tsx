import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { RichText } from '#kit/web/rich-text/rich-text.tsx'
import { noticeType } from '../contract/choices.ts'
import type { ScreenContent } from '../contract/screen.ts'
import { useScreenContent } from './use-screen-content.ts'
import './screen.css'

type Slide =
  | { readonly kind: 'notice'; readonly notice: ScreenContent['notices'][number] }
  | { readonly kind: 'picture'; readonly picture: ScreenContent['advertisements'][number] }

const slidesOf = ({ notices, advertisements }: ScreenContent): readonly Slide[] => {
  const pictures = advertisements.map(picture => ({ kind: 'picture' as const, picture }))
  const texts = notices.map(notice => ({ kind: 'notice' as const, notice }))
  // One picture after each notice, the rest at the end.
  return [...texts.flatMap((text, i) => [text, ...pictures.slice(i, i + 1)]), ...pictures.slice(texts.length)]
}

interface SlideProps {
  readonly slide: Slide
  readonly turnMs: number
  readonly onEnd: () => void
}

/** One page; a text longer than the screen is turned page by page. */
function ShownSlide({ slide, turnMs, onEnd }: SlideProps) {
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const timer = setInterval(() => {
      const box = body.current
      if (box && box.scrollTop + box.clientHeight < box.scrollHeight - 8) {
        box.scrollTo({ top: box.scrollTop + box.clientHeight * 0.9, behavior: 'smooth' })
      } else {
        onEnd()
      }
    }, turnMs)
    return () => clearInterval(timer)
  }, [onEnd, turnMs])
  if (slide.kind === 'picture')
    return (
      <figure className="lobby-picture">
        <img src={slide.picture.mediaUrl} alt={slide.picture.title} />
        <figcaption>广告</figcaption>
      </figure>
    )
  const { title, noticeType: type, publishTime, content } = slide.notice
  return (
    <article>
      <h2>{title}</h2>
      <p className="by">
        {labelOf(noticeType, type)} · {publishTime.slice(0, 16)}
      </p>
      <div className="lobby-text" ref={body}>
        <RichText html={content} />
      </div>
    </article>
  )
}

const clockText = (time: Date): string =>
  time.toLocaleTimeString('zh-CN', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Shanghai' })

function Clock() {
  const [time, setTime] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setTime(new Date()), 10_000)
    return () => clearInterval(timer)
  }, [])
  return <time>{clockText(time)}</time>
}

/** In place of what it turns. */
const Message = ({ role, children }: { readonly role: 'alert' | 'status'; readonly children: string }) => (
  <div className="lobby">
    <main>
      <p className="none" role={role}>
        {children}
      </p>
    </main>
  </div>
)

interface TurnProps {
  readonly content: ScreenContent
  /** Since when nothing new has come. */
  readonly staleSince: string | undefined
}

function TurnedContent({ content, staleSince }: TurnProps) {
  const slides = slidesOf(content)
  const [turn, setTurn] = useState(0)
  const onEnd = useRef(() => setTurn(last => last + 1)).current
  const slide = slides[turn % Math.max(1, slides.length)]
  return (
    <div className="lobby">
      <header>
        <h1>{content.estateName}</h1>
        <Clock />
      </header>
      <main>
        {slide ? (
          <ShownSlide key={turn} slide={slide} turnMs={content.turnSeconds * 1000} onEnd={onEnd} />
        ) : (
          <p className="none">暂无公告</p>
        )}
      </main>
      <footer>
        <span>{content.servicePhone === undefined ? '' : `物业服务电话 ${content.servicePhone}`}</span>
        {staleSince !== undefined && (
          <span role="status">网络中断，内容更新于 {staleSince.slice(5, 16)}</span>
        )}
        <span>{slides.length > 0 && `${(turn % slides.length) + 1} / ${slides.length}`}</span>
      </footer>
    </div>
  )
}

function OpenedScreen({ token }: { readonly token: string }) {
  const { content, isLoading, refusal, staleSince } = useScreenContent(token)
  if (content) return <TurnedContent content={content} staleSince={staleSince} />
  if (isLoading) return <Message role="status">正在加载…</Message>
  return <Message role="alert">{refusal ?? '网络不通，恢复后自动显示'}</Message>
}

/** 信息屏: turns notices and advertisements on a display in a lobby, also while there is no network. */
export default function LobbyScreen() {
  const [params] = useSearchParams()
  const token = params.get('t')?.trim() ?? ''
  if (!token) return <Message role="alert">链接不完整，请打开「信息屏」中的完整链接</Message>
  return <OpenedScreen token={token} key={token} />
}
