import { Popover } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { momentNear } from '../when.ts'
import { Icon } from '../icons.tsx'
import { Glyph } from '../status.tsx'
import { useBells, type Bell as One } from './bells.ts'
import { Badge } from './badge.tsx'

/** 消息: what happened meanwhile; opening an item marks it read. */
export function Bell({ openTasks }: { readonly openTasks: () => void }) {
  const { all, unread, read, clear } = useBells(), [open, setOpen] = useState(false), go = useNavigate()
  const take = (b: One): void => { read(b.key); setOpen(false); if (b.opens === 'tasks') openTasks(); else void go(b.opens) }
  const content = (
    <div className="bell" role="dialog" aria-label="消息">
      <header><h2>消息</h2>{all.length > 0 && <span><button type="button" className="linkish" onClick={() => read()}>全部已读</button><button type="button" className="linkish" onClick={clear}>清空</button></span>}</header>
      {all.length ? <ul className="scroll">{all.map(b => (
        <li key={b.key}><button type="button" data-read={b.read || undefined} onClick={() => take(b)}><span style={{ color: `var(--${b.tone})` }}><Glyph tone={b.tone} /></span><span>{b.title}</span><time>{momentNear(b.at)}</time></button></li>
      ))}</ul> : <p>没有新消息。后台任务完成时会在这里提醒。</p>}
    </div>
  )
  return (
    <Popover open={open} onOpenChange={setOpen} trigger="click" placement="bottomRight" arrow={false} content={content} styles={{ container: { padding: 0 } }} destroyOnHidden>
      <button type="button" className="plain corner" aria-haspopup="dialog" aria-expanded={open} aria-label={unread ? `消息，${unread} 条未读` : '消息'}><Icon name="bell" size={20} /><Badge n={unread} tone="bad" /></button>
    </Popover>
  )
}
