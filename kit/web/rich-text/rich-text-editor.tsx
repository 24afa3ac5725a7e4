import { EditorContent, useEditor, type Editor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { useEffect, useRef, useState } from 'react'
import { fileSourceOf, isEmptyRichText } from '#kit/contract/rich-text.ts'
import type { ControlProps } from '../controls/control-kinds.tsx'
import { maxImageBytes, saveFile } from '../file-store.ts'
import { EditorToolbar } from './editor-toolbar.tsx'
import { StoredPicture } from './stored-picture.ts'
import './rich-text.css'
import './rich-text-editor.css'

const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3] },
    code: false,
    codeBlock: false,
    link: {
      openOnClick: false,
      autolink: false,
      protocols: ['https', 'tel'],
      isAllowedUri: (url: string) => /^(?:https:\/\/|tel:)/i.test(url),
    },
  }),
  StoredPicture,
]

const isPicture = (file: File): boolean => /^image\/(?:png|jpeg|gif|webp)$/.test(file.type)

const htmlOf = (editor: Editor): string => {
  const html = editor.getHTML()
  return isEmptyRichText(html) ? '' : html
}

/** Stores pictures and puts them in where the cursor is; says what could not be put in. */
function usePictures(): {
  readonly fault: string | undefined
  readonly isBusy: boolean
  readonly add: (editor: Editor | null, files: readonly File[]) => Promise<void>
} {
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const add = async (editor: Editor | null, files: readonly File[]): Promise<void> => {
    const pictures = files.filter(file => isPicture(file) && file.size <= maxImageBytes)
    setFault(pictures.length < files.length ? '只能插入 2 MB 以内的 JPG、PNG、GIF、WebP 图片' : undefined)
    setBusy(true)
    try {
      for (const file of pictures) {
        const key = await saveFile(file)
        editor
          ?.chain()
          .focus()
          .setImage({ src: fileSourceOf(key), alt: '' })
          .run()
      }
    } catch (error) {
      setFault(error instanceof Error && error.message ? error.message : '图片上传失败，请重试')
    }
    setBusy(false)
  }
  return { fault, isBusy, add }
}

/** 正文: headings, lists, links and pictures; fetched when a form first shows it. */
export function RichTextEditor({
  field,
  id,
  value,
  onChange,
  onBlur,
  disabled,
  invalid,
  describedBy,
}: ControlProps) {
  const html = typeof value === 'string' ? value : ''
  const written = useRef(html)
  const shown = useRef<Editor | null>(null)
  const pictures = usePictures()
  const addFiles = (list: FileList | null | undefined): boolean => {
    const files = [...(list ?? [])]
    if (!files.length) return false
    void pictures.add(shown.current, files)
    return true
  }
  const editor = useEditor({
    extensions,
    content: html,
    editable: !disabled,
    onUpdate: ({ editor: updated }) => {
      written.current = htmlOf(updated)
      onChange(written.current)
    },
    onBlur,
    editorProps: {
      attributes: {
        id,
        class: 'rich-text',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': field.label,
        'aria-required': String(field.required),
        'aria-invalid': String(invalid),
        ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
      },
      handlePaste: (_, event) => addFiles(event.clipboardData?.files),
      handleDrop: (_, event) => addFiles(event.dataTransfer?.files),
    },
  })
  useEffect(() => {
    shown.current = editor
  }, [editor])
  // A template or a reset form writes another text from outside.
  useEffect(() => {
    if (editor && html !== written.current) {
      written.current = html
      editor.commands.setContent(html, { emitUpdate: false })
    }
  }, [editor, html])
  useEffect(() => {
    editor?.setEditable(!disabled, false)
  }, [editor, disabled])
  return (
    <div className="rich-text-editor" data-invalid={invalid}>
      {editor && (
        <EditorToolbar
          editor={editor}
          isDisabled={disabled}
          isUploading={pictures.isBusy}
          onFiles={files => void pictures.add(editor, files)}
        />
      )}
      <EditorContent editor={editor} />
      {pictures.fault !== undefined && (
        <p className="fault" role="alert">
          {pictures.fault}
        </p>
      )}
    </div>
  )
}
