import { defined } from '#kit/domain/defined.ts'
import { message } from 'antd'
import { useEffect } from 'react'
import { setToastHost, type Toast } from '../toast.ts'

/** The toast area. */
export default function Toasts() {
  const [api, holder] = message.useMessage({ maxCount: 3, top: 56 })
  useEffect(() => {
    setToastHost((t: Toast) => {
      const key = t.key ?? String(t.text)
      const undo = t.undo && (
        <button
          type="button"
          className="linkish"
          style={{ marginInlineStart: 12 }}
          onClick={() => {
            api.destroy(key)
            void defined(t.undo)()
          }}
        >
          撤销
        </button>
      )
      void api.open({
        key,
        type: t.kind,
        duration: t.seconds ?? 3,
        content: (
          <span role={t.kind === 'error' ? 'alert' : 'status'}>
            {t.text}
            {undo}
          </span>
        ),
      })
    })
    return () => setToastHost(undefined)
  }, [api])
  return holder
}
