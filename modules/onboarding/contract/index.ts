import { closeGuide, getGuideState, getSetupGuide, guideStep } from './guide.ts'
import { removeSample, startSample } from './sample.ts'

export const contract = {
  calls: [getSetupGuide, getGuideState, closeGuide, startSample, removeSample],
  entities: [],
  choices: [guideStep],
}
