import { Modal } from 'antd'
import { useFocusReturn } from '../use-focus-return.ts'
import { useActiveShortcuts } from '../shortcuts.ts'

const groups = ['当前页面', '列表', '页面与导航'] as const

/** 快捷键: the active shortcuts, this screen's first. */
export default function ShortcutHelp({ close }: { readonly close: () => void }) {
  const all = useActiveShortcuts()
  useFocusReturn()
  return (
    <Modal open title="快捷键" width={560} footer={null} onCancel={close}>
      <div className="key-map">
        {groups.map(group => {
          const keys = all.filter(k => (k.group ?? groups[0]) === group && k.label)
          return (
            keys.length > 0 && (
              <section key={group}>
                <h3>{group}</h3>
                <dl>
                  {keys.map(shortcut => (
                    <div key={shortcut.keys}>
                      <dt>{shortcut.label}</dt>
                      <dd>
                        {shortcut.keys.split(' ').map(x => (
                          <kbd key={x}>{keyCaps[x] ?? x}</kbd>
                        ))}
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            )
          )
        })}
      </div>
    </Modal>
  )
}

const keyCaps: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Space: '空格',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
}
