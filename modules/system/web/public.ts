/** What the shell shows of this module: 帮助 › 意见反馈. */
export { SuggestionDialog } from './suggestion-dialog.tsx'
