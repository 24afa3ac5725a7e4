import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { AudiencePreviewProps } from './audience-preview.tsx'
import type { VariablesHelpProps } from './variables-help.tsx'

/** What other modules' screens may use to choose whom a message goes to. */
export {
  AudienceControl,
  AudienceControl as AudienceFields,
  audienceFormFields,
} from './audience-control.tsx'

export const AudiencePreview = lazyComponent<AudiencePreviewProps>(
  async () => (await import('./audience-preview.tsx')).AudiencePreview,
)

export const VariablesHelp = lazyComponent<VariablesHelpProps>(
  async () => (await import('./variables-help.tsx')).VariablesHelp,
)
