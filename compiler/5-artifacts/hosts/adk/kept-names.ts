import { keptNames } from "../../../4-fit/kept-names.ts";

/** Functions that ADK itself puts before a model, or answers for. */
export const KEPT = keptNames("@google/adk 0.6", {
  tools: "adk_request_confirmation adk_request_credential adk_request_input set_model_response transfer_to_agent",
});
