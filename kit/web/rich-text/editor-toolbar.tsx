import { useEditorState, type Editor } from '@tiptap/react'
import { useRef, useState } from 'react'

interface ToolbarProps {
  readonly editor: Editor
  readonly isDisabled: boolean
  readonly isUploading: boolean
  readonly onFiles: (files: readonly File[]) => void
}

interface Tool {
  readonly key: string
  readonly label: string
  readonly text: string
  readonly run: (editor: Editor) => void
}

const tools: readonly Tool[] = [
  { key: 'h2', label: '标题', text: '标题', run: e => e.chain().focus().toggleHeading({ level: 2 }).run() },
  {
    key: 'h3',
    label: '小标题',
    text: '小标题',
    run: e => e.chain().focus().toggleHeading({ level: 3 }).run(),
  },
  { key: 'bold', label: '加粗', text: '加粗', run: e => e.chain().focus().toggleBold().run() },
  { key: 'italic', label: '斜体', text: '斜体', run: e => e.chain().focus().toggleItalic().run() },
  { key: 'underline', label: '下划线', text: '下划线', run: e => e.chain().focus().toggleUnderline().run() },
  {
    key: 'bulletList',
    label: '项目列表',
    text: '列表',
    run: e => e.chain().focus().toggleBulletList().run(),
  },
  {
    key: 'orderedList',
    label: '编号列表',
    text: '编号',
    run: e => e.chain().focus().toggleOrderedList().run(),
  },
  { key: 'blockquote', label: '引用', text: '引用', run: e => e.chain().focus().toggleBlockquote().run() },
]

const isActive = (editor: Editor, key: string): boolean =>
  key === 'h2' || key === 'h3'
    ? editor.isActive('heading', { level: key === 'h2' ? 2 : 3 })
    : editor.isActive(key)

const linkOf = (editor: Editor): string => {
  const { href }: { href?: unknown } = editor.getAttributes('link')
  return typeof href === 'string' ? href : ''
}

/** The address of a link, below the tools; empty takes the link away. */
function LinkInput({ editor, onClose }: { readonly editor: Editor; readonly onClose: () => void }) {
  const [address, setAddress] = useState(() => linkOf(editor) || 'https://')
  const [fault, setFault] = useState<string>()
  const apply = (): void => {
    const href = address.trim()
    if (href === '' || href === 'https://') {
      editor.chain().focus().extendMarkRange('link').unsetLink().run()
      onClose()
      return
    }
    if (!/^(?:https:\/\/\S+|tel:\+?[0-9-]+)$/i.test(href)) {
      setFault('网址应以 https:// 开头，电话以 tel: 开头')
      return
    }
    const { selection } = editor.state
    const chain = editor.chain().focus()
    if (selection.empty && !editor.isActive('link')) {
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
    } else {
      chain.extendMarkRange('link').setLink({ href }).run()
    }
    onClose()
  }
  return (
    <div className="rich-text-link">
      <input
        aria-label="链接地址"
        value={address}
        onChange={event => setAddress(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') {
            event.preventDefault()
            apply()
          }
          if (event.key === 'Escape') {
            event.stopPropagation()
            onClose()
          }
        }}
      />
      <button type="button" onClick={apply}>
        确定
      </button>
      <button type="button" onClick={onClose}>
        取消
      </button>
      {fault !== undefined && <span role="alert">{fault}</span>}
    </div>
  )
}

/** The tools above the text. */
export function EditorToolbar({ editor, isDisabled, isUploading, onFiles }: ToolbarProps) {
  const [isLinking, setLinking] = useState(false)
  const fileInput = useRef<HTMLInputElement>(null)
  const state = useEditorState({
    editor,
    selector: ({ editor: e }) => ({
      active: tools.filter(({ key }) => isActive(e, key)).map(({ key }) => key),
      isLink: e.isActive('link'),
      canUndo: e.can().undo(),
      canRedo: e.can().redo(),
    }),
  })
  const button = (label: string, text: string, run: () => void, isPressed?: boolean, isOff = false) => (
    <button
      key={label}
      type="button"
      title={label}
      aria-label={label}
      {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
      disabled={isDisabled || isOff}
      onMouseDown={event => event.preventDefault()}
      onClick={run}
    >
      {text}
    </button>
  )
  return (
    <>
      <div className="rich-text-tools" role="toolbar" aria-label="正文格式">
        {tools.map(({ key, label, text, run }) =>
          button(label, text, () => run(editor), state.active.includes(key)),
        )}
        {button('链接', '链接', () => setLinking(!isLinking), state.isLink)}
        {button(
          '插入图片',
          isUploading ? '上传中…' : '图片',
          () => fileInput.current?.click(),
          undefined,
          isUploading,
        )}
        {button('撤销', '撤销', () => editor.chain().focus().undo().run(), undefined, !state.canUndo)}
        {button('重做', '重做', () => editor.chain().focus().redo().run(), undefined, !state.canRedo)}
        <input
          ref={fileInput}
          type="file"
          hidden
          multiple
          accept="image/png,image/jpeg,image/gif,image/webp"
          onChange={event => {
            const files = [...(event.target.files ?? [])]
            event.target.value = ''
            onFiles(files)
          }}
        />
      </div>
      {isLinking && <LinkInput editor={editor} onClose={() => setLinking(false)} />}
    </>
  )
}
