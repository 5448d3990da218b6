import type { z } from 'zod'
import { describeIssue } from '../input/issues.ts'
import { crossProblems } from './crossChecks.ts'
import { type FleetFile, fleetFile } from './fleetFile.ts'
import { FleetFileError, type FleetProblem, writePath } from './problems.ts'

/**
 * Reads the text of a fleet file and fills in what it leaves out.
 * @throws FleetFileError naming every problem, or that the text is no JSON
 */
export function parseFleetFile(json: string): FleetFile {
  const file = parseJson(json)
  const result = fleetFile.safeParse(file, { error: describeIssue })
  const problems = [...(result.error?.issues.flatMap(problemsOf) ?? []), ...crossProblems(file)]
  if (!result.success || problems.length > 0) throw new FleetFileError(problems)
  return result.data
}

function parseJson(json: string): unknown {
  try {
    // Editors on Windows like to begin a file with a byte order mark.
    return JSON.parse(json.replace(/^\uFEFF/, ''))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new FleetFileError([{ path: writePath([]), message: `is not valid JSON: ${reason}` }])
  }
}

function problemsOf(issue: z.core.$ZodIssue): FleetProblem[] {
  if (issue.code !== 'unrecognized_keys') {
    return [{ path: writePath(issue.path), message: issue.message }]
  }
  return issue.keys.map((key) => ({
    path: writePath([...issue.path, key]),
    message: 'is not a field of a fleet file',
  }))
}
