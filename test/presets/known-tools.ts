/**
 * What real servers answered to `tools/list`, in names and the two hints that matter: `?` is read-only, `!` destructive, as
 * the server says it or the protocol takes it where the server says nothing. Arguments where a preset's policy names some.
 */
export interface KnownServer {
  readonly server: string;
  readonly version: string;
  /** Its file in the folder of captures; left out: it was asked for this list alone. */
  readonly capture?: string;
  readonly tools: string;
  /** Names that the server has not, and another way to it has: by its documentation, seen by nobody here. */
  readonly elsewhere?: string;
}

export const KNOWN: Readonly<Record<string, KnownServer>> = {
  "azure-devops": {
    server: "@tiberriver256/mcp-server-azure-devops",
    version: "0.1.48",
    capture: "azure-devops-tiberriver256",
    tools: `
      !get_me !list_organizations !list_projects !get_project !get_project_details !get_repository
      !get_repository_details !list_repositories !get_file_content !get_all_repositories_tree
      !get_repository_tree !create_branch !create_commit !list_commits !list_work_items !get_work_item
      !create_work_item !update_work_item !manage_work_item_link !get_work_item_comments
      !create_work_item_attachment !get_work_item_attachment !delete_work_item_attachment !search_code
      !search_wiki !search_work_items !create_pull_request !get_pull_request !list_pull_requests
      !get_pull_request_comments !add_pull_request_comment !update_pull_request !get_pull_request_changes
      !get_pull_request_checks !update_pull_request_thread_status !list_pipelines !get_pipeline
      !list_pipeline_runs !get_pipeline_run !download_pipeline_artifact !pipeline_timeline !get_pipeline_log
      !trigger_pipeline !get_wikis !get_wiki_page !create_wiki !update_wiki_page !list_wiki_pages
      !create_wiki_page`,
  },
  "chrome-devtools": {
    server: "chrome-devtools-mcp",
    version: "1.11.0",
    capture: "chrome-devtools",
    tools: `
      !click !close_page !drag !emulate !evaluate_script !fill !fill_form ?get_console_message ?get_css_styles
      !get_network_request !handle_dialog !hover !lighthouse_audit ?list_console_messages ?list_network_requests
      ?list_pages !navigate_page !new_page ?performance_analyze_insight !performance_start_trace
      !performance_stop_trace !press_key !resize_page !screencast_start !screencast_stop ?select_page
      !take_heapsnapshot !take_screenshot !take_snapshot !type_text !upload_file ?wait_for`,
  },
  context7: {
    server: "@upstash/context7-mcp",
    version: "4.1.1",
    capture: "context7",
    tools: `
      ?resolve-library-id ?query-docs`,
  },
  datadog: {
    server: "@winor30/mcp-server-datadog",
    version: "1.8.0",
    capture: "datadog-winor30",
    tools: `
      !list_incidents !get_incident !query_metrics !get_logs !get_all_services !get_monitors !list_dashboards
      !get_dashboard !list_traces !mute_host !unmute_host !list_hosts !get_active_hosts_count !list_downtimes
      !schedule_downtime !cancel_downtime !get_rum_applications !get_rum_events !get_rum_grouped_event_count
      !get_rum_page_performance !get_rum_page_waterfall`,
  },
  discord: {
    server: "mcp-discord",
    version: "1.3.4",
    tools: `
      !discord_create_category !discord_edit_category !discord_delete_category !discord_login !discord_send
      !discord_get_forum_channels !discord_create_forum_post !discord_get_forum_post !discord_reply_to_forum
      !discord_create_text_channel !discord_delete_channel !discord_read_messages !discord_get_server_info
      !discord_add_reaction !discord_add_multiple_reactions !discord_remove_reaction !discord_delete_forum_post
      !discord_delete_message !discord_create_webhook !discord_send_webhook_message !discord_edit_webhook
      !discord_delete_webhook`,
  },
  email: {
    server: "@gongrzhe/server-gmail-autoauth-mcp",
    version: "1.1.11",
    capture: "gmail-gongrzhe",
    tools: `
      !send_email !draft_email !read_email !search_emails !modify_email !delete_email !list_email_labels
      !batch_modify_emails !batch_delete_emails !create_label !update_label !delete_label !get_or_create_label
      !create_filter !list_filters !get_filter !delete_filter !create_filter_from_template !download_attachment`,
  },
  everything: {
    server: "@modelcontextprotocol/server-everything",
    version: "2026.8.31",
    capture: "everything",
    tools: `
      ?echo ?get-annotated-message ?get-env ?get-resource-links ?get-resource-reference ?get-structured-content
      ?get-sum ?get-tiny-image gzip-file-as-resource toggle-simulated-logging toggle-subscriber-updates
      ?trigger-long-running-operation simulate-research-query`,
  },
  figma: {
    server: "figma-developer-mcp",
    version: "0.13.2",
    capture: "figma-developer",
    tools: `
      ?get_figma_data !download_figma_images`,
  },
  filesystem: {
    server: "@modelcontextprotocol/server-filesystem",
    version: "2026.8.31",
    capture: "filesystem",
    tools: `
      ?read_file(path,tail,head) ?read_text_file(path,tail,head) ?read_media_file(path)
      ?read_multiple_files(paths) !write_file(path,content) !edit_file(path,edits,dryRun) create_directory(path)
      ?list_directory(path) ?list_directory_with_sizes(path,sortBy) ?directory_tree(path,excludePatterns)
      !move_file(source,destination) ?search_files(path,pattern,excludePatterns) ?get_file_info(path)
      ?list_allowed_directories()`,
  },
  git: {
    server: "@cyanheads/git-mcp-server",
    version: "2.15.3",
    capture: "git-cyanheads",
    tools: `
      !git_add ?git_blame !git_branch ?git_changelog_analyze !git_checkout !git_cherry_pick !git_clean
      !git_clear_working_dir !git_clone !git_commit ?git_diff !git_fetch !git_init ?git_log !git_merge !git_pull
      !git_push !git_rebase ?git_reflog !git_remote !git_reset !git_set_working_dir ?git_show !git_stash
      ?git_status !git_tag !git_worktree ?git_wrapup_instructions`,
  },
  github: {
    server: "@modelcontextprotocol/server-github",
    version: "2025.4.8",
    capture: "github",
    tools: `
      !create_or_update_file !search_repositories !create_repository !get_file_contents !push_files
      !create_issue !create_pull_request !fork_repository !create_branch !list_commits !list_issues
      !update_issue !add_issue_comment !search_code !search_issues !search_users !get_issue !get_pull_request
      !list_pull_requests !create_pull_request_review !merge_pull_request !get_pull_request_files
      !get_pull_request_status !update_pull_request_branch !get_pull_request_comments !get_pull_request_reviews`,
    elsewhere: `
      add_comment_to_pending_review delete_file get_commit get_label get_latest_release get_me
      get_release_by_tag get_tag get_team_members get_teams issue_read issue_write list_branches
      list_issue_types list_releases list_tags pull_request_read pull_request_review_write search_pull_requests
      sub_issue_write update_pull_request`,
  },
  "google-drive": {
    server: "@modelcontextprotocol/server-gdrive",
    version: "2025.1.14",
    capture: "gdrive",
    tools: `
      !search`,
  },
  memory: {
    server: "@modelcontextprotocol/server-memory",
    version: "2026.8.31",
    capture: "memory",
    tools: `
      create_entities create_relations add_observations !delete_entities !delete_observations !delete_relations
      ?read_graph ?search_nodes ?open_nodes`,
  },
  mongodb: {
    server: "mongodb-mcp-server",
    version: "3.0.4",
    capture: "mongodb",
    tools: `
      ?aggregate-db ?aggregate ?collection-indexes ?collection-schema ?collection-storage-size ?connect ?count
      create-collection create-index ?db-stats !delete-many ?disconnect !drop-collection !drop-database
      !drop-index ?explain ?export ?find insert-many ?list-collections ?list-connections ?list-databases
      ?mongodb-logs !rename-collection !update-many ?atlas-list-clusters ?atlas-list-projects
      ?atlas-inspect-cluster atlas-create-free-cluster atlas-create-access-list ?atlas-inspect-access-list
      ?atlas-list-db-users atlas-create-db-user atlas-create-project ?atlas-list-orgs ?atlas-connect-cluster
      ?atlas-list-alerts ?atlas-get-performance-advisor ?atlas-get-regions atlas-load-sample-dataset
      atlas-create-cluster !atlas-pause-resume-cluster ?atlas-streams-discover atlas-streams-build
      !atlas-streams-manage !atlas-streams-teardown !atlas-upgrade-cluster ?search-knowledge
      ?list-knowledge-sources`,
  },
  mysql: {
    server: "@f4ww4z/mcp-mysql-server",
    version: "0.1.0",
    capture: "mysql-f4ww4z",
    tools: `
      !connect_db !query !execute !list_tables !describe_table`,
  },
  notion: {
    server: "@notionhq/notion-mcp-server",
    version: "2.5.2",
    capture: "notion",
    tools: `
      ?API-get-user ?API-get-users ?API-get-self !API-post-search ?API-get-block-children
      !API-patch-block-children ?API-retrieve-a-block !API-update-a-block !API-delete-a-block
      ?API-retrieve-a-page !API-patch-page !API-post-page ?API-retrieve-a-page-property ?API-retrieve-a-comment
      !API-create-a-comment !API-query-data-source ?API-retrieve-a-data-source !API-update-a-data-source
      !API-create-a-data-source ?API-list-data-source-templates ?API-retrieve-a-database !API-move-page
      ?API-retrieve-page-markdown !API-update-page-markdown`,
    elsewhere: `
      notion-create-comment notion-create-database notion-create-pages notion-duplicate-page notion-fetch
      notion-get-comments notion-get-teams notion-get-users notion-move-pages notion-search
      notion-update-database notion-update-page`,
  },
  "obsidian-vault": {
    server: "obsidian-mcp",
    version: "2.0.1",
    capture: "obsidian-mcp",
    tools: `
      ?obsidian_list_vaults ?obsidian_read_note obsidian_create_note !obsidian_edit_note !obsidian_delete_note
      !obsidian_move_note obsidian_create_directory ?obsidian_search_vault !obsidian_add_tags
      !obsidian_remove_tags !obsidian_rename_tag !obsidian_manage_tags`,
  },
  "pg-readonly": {
    server: "@modelcontextprotocol/server-postgres",
    version: "0.6.2",
    capture: "postgres",
    tools: `
      !query(sql)`,
  },
  playwright: {
    server: "@playwright/mcp",
    version: "0.0.83",
    capture: "playwright",
    tools: `
      !browser_close !browser_resize ?browser_console_messages !browser_handle_dialog !browser_emulate_media
      !browser_evaluate !browser_file_upload !browser_drop ?browser_find !browser_fill_form !browser_press_key
      !browser_type !browser_navigate !browser_navigate_back ?browser_network_requests ?browser_network_request
      !browser_run_code_unsafe ?browser_take_screenshot ?browser_snapshot !browser_click !browser_drag
      !browser_hover !browser_select_option !browser_tabs ?browser_wait_for`,
  },
  postgres: {
    server: "@bytebase/dbhub",
    version: "1.4.0",
    capture: "dbhub",
    tools: `
      !execute_sql ?search_objects`,
  },
  sentry: {
    server: "@sentry/mcp-server",
    version: "0.39.0",
    capture: "sentry",
    tools: `
      ?find_organizations ?find_projects !update_issue ?search_events analyze_issue_with_seer ?search_issues
      ?get_sentry_resource ?search_sentry_tools !execute_sentry_tool`,
  },
  slack: {
    server: "@modelcontextprotocol/server-slack",
    version: "2025.4.25",
    capture: "slack",
    tools: `
      !slack_list_channels !slack_post_message !slack_reply_to_thread !slack_add_reaction
      !slack_get_channel_history !slack_get_thread_replies !slack_get_users !slack_get_user_profile`,
  },
  stripe: {
    server: "@stripe/mcp",
    version: "0.2.5",
    capture: "stripe",
    tools: `
      create_customer ?list_customers create_product ?list_products create_price ?list_prices
      create_payment_link create_invoice ?list_invoices create_invoice_item finalize_invoice ?retrieve_balance
      create_refund ?list_payment_intents ?list_subscriptions !cancel_subscription update_subscription
      ?search_stripe_documentation ?list_coupons create_coupon update_dispute ?list_disputes`,
  },
  supabase: {
    server: "@supabase/mcp-server-supabase",
    version: "0.13.0",
    capture: "supabase",
    tools: `
      ?list_organizations ?get_organization ?list_projects ?get_project ?get_cost ?confirm_cost create_project
      pause_project restore_project ?list_tables ?list_extensions ?list_migrations !apply_migration !execute_sql
      ?query_logs ?get_advisors ?get_project_url ?get_publishable_keys ?generate_typescript_types
      ?list_edge_functions ?get_edge_function !deploy_edge_function create_branch ?list_branches !delete_branch
      !merge_branch !reset_branch !rebase_branch ?list_storage_buckets ?get_storage_config
      !update_storage_config`,
  },
  trello: {
    server: "@delorenj/mcp-server-trello",
    version: "1.8.1",
    tools: `
      !get_cards_by_list_id !get_lists !get_recent_activity !add_card_to_list !update_card_details !archive_card
      !watch_card !watch_list !move_card !add_list_to_board !archive_list !update_list !update_list_position
      !get_my_cards !attach_image_to_card !attach_file_to_card !attach_data_to_card !attach_image_data_to_card
      !list_boards !set_active_board !list_workspaces !create_board !set_active_workspace
      !list_boards_in_workspace !get_active_board_info !get_card !add_comment !update_comment !delete_comment
      !get_card_comments !create_checklist !get_checklist_items !add_checklist_item
      !find_checklist_items_by_description !get_acceptance_criteria !get_checklist_by_name
      !update_checklist_item !delete_checklist_item !get_board_members !assign_member_to_card
      !remove_member_from_card !get_board_labels !create_label !update_label !delete_label !copy_card
      !copy_checklist !add_cards_to_list !get_board_custom_fields !update_card_custom_field !get_card_history
      !download_attachment !get_health !get_health_detailed !get_health_metadata !get_health_performance
      !perform_system_repair`,
    elsewhere: `
      create_card list_cards`,
  },
};
