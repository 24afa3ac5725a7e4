import { defined } from '#kit/domain/defined.ts'
import { message } from 'antd'
import { useEffect } from 'react'
import { setToastHost, type Toast } from '../toast.ts'

/** The toast area. */
export default function Toasts() {
  const [api, holder] = message.useMessage({ maxCount: 3, top: 56 })
  useEffect(() => {
    setToastHost((toast: Toast) => {
      const key = toast.key ?? String(toast.text)
      const undo = toast.undo && (
        <button
          type="button"
          className="linkish"
          style={{ marginInlineStart: 12 }}
          onClick={() => {
            api.destroy(key)
            void defined(toast.undo)()
          }}
        >
          撤销
        </button>
      )
      void api.open({
        key,
        type: toast.kind,
        duration: toast.seconds ?? 3,
        content: (
          <span role={toast.kind === 'error' ? 'alert' : 'status'}>
            {toast.text}
            {undo}
          </span>
        ),
      })
    })
    return () => setToastHost(undefined)
  }, [api])
  return holder
}
