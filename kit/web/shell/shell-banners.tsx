import { useNavigate } from 'react-router'
import { useHost } from './host.ts'
import { refreshMessages, useAnnouncements } from './messages.ts'
import './band.css'

/** Lines under the tabs: what modules must show, and no network or the company's announcements. */
export function ShellBands({ online }: { readonly online: boolean }) {
  const { Bands } = useHost()
  return (
    <div className="bands">
      <Bands />
      {online ? (
        <Announcement />
      ) : (
        <p className="band" data-tone="bad" role="alert">
          网络已断开，正在等待恢复。已输入的内容会保留，恢复后再提交。
        </p>
      )}
    </div>
  )
}

/** One announcement at a time, until this person has read it. */
function Announcement() {
  const { messages } = useHost()
  const [first] = useAnnouncements()
  const navigate = useNavigate()
  if (!first) return null
  const markRead = (): void =>
    void messages.read({ ids: [first.message] }).then(refreshMessages, () => undefined)
  return (
    <p className="band" data-tone={first.tone} role="status">
      <b>{first.title}</b> <span className="ellipsis">{first.text}</span>
      <button
        type="button"
        className="linkish"
        onClick={() => {
          markRead()
          void navigate(messages.paths.one(first.message))
        }}
      >
        查看
      </button>
      <button type="button" className="linkish" onClick={markRead}>
        知道了
      </button>
    </p>
  )
}
